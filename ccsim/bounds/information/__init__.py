"""What a transcript tells, in bits: of a protocol exactly, and at least, of any protocol without error."""
