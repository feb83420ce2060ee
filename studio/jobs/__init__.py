"""Long work as jobs: their states, the store they live in, and who starts, minds and ends them."""
