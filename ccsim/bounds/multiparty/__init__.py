"""Several parties at a blackboard, each with an input in its hand: what a function costs them."""
