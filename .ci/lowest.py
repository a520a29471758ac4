"""The lowest versions that pyproject.toml allows of what ccsim and its extra for files need, one requirement a line."""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
for requirement in [*project["dependencies"], *project["optional-dependencies"]["files"]]:
    print(re.sub(r">=", "==", requirement))
