"""Which pictures there are and how they are read: Pillow, NumPy, SQLite and TFDS’ file format; no TensorFlow."""
