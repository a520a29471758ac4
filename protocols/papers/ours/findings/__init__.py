"""What is measured about this project's own results."""
