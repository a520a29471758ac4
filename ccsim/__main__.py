"""``python -m ccsim`` is ``ccsim``."""

from ccsim.cli import main

main()
