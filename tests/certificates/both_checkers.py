"""The same certificates before both checkers: the kernel in Python, and the program that is proved in Coq."""

import json
import random
import subprocess
from collections import Counter

from ccsim.certificates import verify as kernel
from tests.certificates.mutations import changed_somehow
from tests.speed import patient

BATCH = 400


def proved_verdicts(program, texts, folder):
    """What the program says of each text, in one run: accepted, refused or unreached."""
    paths = [folder / f"{place}.json" for place in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    done = subprocess.run([program, "--", *paths], capture_output=True, text=True, timeout=patient(300), check=False)
    words = [line.split(" ", 1)[0] for line in done.stdout.splitlines()]
    assert len(words) == len(texts), done.stderr[-500:]
    return words


def kernel_verdict(text):
    """Likewise for the kernel; unreached if it does not look because that takes too much work."""
    try:
        kernel.report(kernel.load(text))
    except kernel.TooLarge:
        return "unreached"
    except kernel.Refused:
        return "refused"
    return "accepted"


def mutations(every, count, seed):
    """So many certificates, as texts, that are nearly those of a list of plain data."""
    rng = random.Random(seed)
    return [json.dumps(changed_somehow(rng.choice(every), every, rng)) for _ in range(count)]


def compared(program, texts, folder):
    """How often each pair of verdicts (kernel, program) was met, and the texts that the kernel accepts alone.

    What the program accepts alone is proved; there the kernel asks for more than it needs.
    """
    met, alone = Counter(), []
    for start in range(0, len(texts), BATCH):
        batch = texts[start : start + BATCH]
        for text, proved in zip(batch, proved_verdicts(program, batch, folder), strict=True):
            pair = kernel_verdict(text), proved
            met[pair] += 1
            if pair == ("accepted", "refused"):
                alone.append(text)
    return met, alone
