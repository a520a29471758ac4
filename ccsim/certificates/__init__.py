"""Certificates: bounds that somebody who does not trust this library can check."""

from ccsim.certificates.certificate import Certificate, Proof, Value, Witness
from ccsim.certificates.verify import Refused

__all__ = ["Certificate", "Proof", "Refused", "Value", "Witness"]
