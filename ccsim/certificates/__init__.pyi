from .certificate import Certificate as Certificate
from .certificate import Proof as Proof
from .certificate import Value as Value
from .certificate import Witness as Witness
from .verify import Refused as Refused
