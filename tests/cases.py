"""Many small cases in one test: a thousand tests cost ten seconds by themselves."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any


def cases(names: str | tuple[str, ...], values: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As ``pytest.mark.parametrize``, but all cases in one test; a failure names its case."""
    listed, given_values = names.split(", ") if isinstance(names, str) else list(names), list(values)

    def looped(test: Callable[..., None]) -> Callable[..., None]:
        def loop(**others: Any) -> None:
            for value in given_values:
                case = dict(zip(listed, value if len(listed) > 1 else (value,), strict=True))
                try:
                    test(**others, **case)
                except BaseException as error:
                    error.add_note(f"in the case {case}")
                    raise

        loop.__name__, loop.__doc__, loop.__module__ = test.__name__, test.__doc__, test.__module__
        loop.pytestmark = getattr(test, "pytestmark", [])  # type: ignore[attr-defined]
        given = inspect.signature(test)
        kept = [parameter for name, parameter in given.parameters.items() if name not in listed]
        loop.__signature__ = given.replace(parameters=kept)  # type: ignore[attr-defined]
        return loop

    return looped
