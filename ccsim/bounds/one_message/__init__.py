"""One message from one party to the other, and what it must hold."""
