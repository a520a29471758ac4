"""What coins can and cannot save: discrepancy, corruption, gamma_2, partition bounds, Yao's game."""
