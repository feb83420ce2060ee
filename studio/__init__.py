"""Training Studio: train an image classifier with Keras in a browser, and understand what happened."""
