"""Which pictures there are and how they are read: Pillow, NumPy, SQLite, the TFDS file format; no TensorFlow."""
