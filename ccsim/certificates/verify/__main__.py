"""Check the files that are named: ``python -m verify FILE...``, or ``python path/to/verify FILE...``."""

import sys
from importlib import import_module
from pathlib import Path

if not __package__:  # Python was given the folder, and looks into it: look beside it
    folder = Path(__file__).resolve().parent
    sys.path[0] = str(folder.parent)

if __name__ == "__main__":
    sys.exit(import_module(__package__ or folder.name).main(sys.argv[1:]))
