"""The checker of certificates as one file: ``python .ci/checker.py OUT.pyz``, then ``python -I -S OUT.pyz FILE...``.

It holds ``ccsim/certificates/verify`` and needs the standard library only.
"""

import sys
import zipfile
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "ccsim" / "certificates" / "verify"
MAIN = "import sys\n\nimport verify\n\nsys.exit(verify.main(sys.argv[1:]))\n"


def write_checker(path: Path) -> None:
    """The same sources give the same bytes."""
    files = {f"verify/{file.name}": file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.py"))}
    with path.open("wb") as out:
        out.write(b"#!/usr/bin/env python3\n")
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in {"__main__.py": MAIN, **files}.items():
                archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    path.chmod(0o755)


if __name__ == "__main__":
    write_checker(Path(sys.argv[1]))
