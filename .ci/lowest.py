"""The lowest allowed versions of what ccsim and its extras for files and plots need, one requirement a line."""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
extras = project["optional-dependencies"]
for requirement in [*project["dependencies"], *extras["files"], *extras["plot"]]:
    print(re.sub(r">=", "==", requirement))
