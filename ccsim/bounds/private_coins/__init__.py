"""Private coins: protocols where each party throws coins that the other does not see, and what they need at least."""
