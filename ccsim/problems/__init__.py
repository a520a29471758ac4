"""What is computed."""
