from .certificate import Certificate, Proof, Value, Witness
from .verify import Refused

__all__ = ["Certificate", "Proof", "Refused", "Value", "Witness"]
