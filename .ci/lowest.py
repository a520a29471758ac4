"""The lowest versions that pyproject.toml allows of what ccsim needs, one requirement a line."""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
for requirement in project["dependencies"]:
    print(re.sub(r">=", "==", requirement))
