"""What a run is: data, model and training, as frozen values that read from and write to JSON."""
