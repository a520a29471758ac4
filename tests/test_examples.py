"""The examples of docstrings run as they stand."""

import doctest
from functools import cached_property
from importlib import import_module

from tests.test_house import files


class Examples(doctest.DocTestFinder):
    """Those of cached properties, too, which Python 3.13 finds on its own."""

    def _from_module(self, module, object):
        return super()._from_module(module, object.func if isinstance(object, cached_property) else object)


def test_examples_run():
    for name in [name for name, paths in files().items() if any(">>>" in path.read_text("utf-8") for path in paths)]:
        module, runner = import_module(name), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        for example in Examples(exclude_empty=True).find(module):
            runner.run(example)
        assert runner.failures == 0, name
