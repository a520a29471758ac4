"""What is measured for the claims."""
