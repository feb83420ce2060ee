"""What happens beside training, one callback a file. None knows another; the trainer puts them in order."""
