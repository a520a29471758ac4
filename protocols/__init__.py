"""What comes with ccsim: textbook protocols, models built weight by weight, reductions, trained models, and papers."""
