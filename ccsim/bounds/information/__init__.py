"""What a transcript tells, in bits, exactly."""
