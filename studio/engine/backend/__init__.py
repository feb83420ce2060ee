"""What differs between Keras' backends, one file each; the rest of the engine is the same for all."""
