"""What is measured for the claims: each value beside a second computation that shares no code with the first."""
