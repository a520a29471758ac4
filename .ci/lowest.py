"""The lowest versions that pyproject.toml allows of what ccsim needs, and two of its extras, one requirement a line."""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
extras = project["optional-dependencies"]
for requirement in [*project["dependencies"], *extras["files"], *extras["processes"]]:
    print(re.sub(r">=", "==", requirement))
