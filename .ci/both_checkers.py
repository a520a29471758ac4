"""Certificates of a folder, and mutations of them, before both checkers: python .ci/both_checkers.py FOLDER COUNT.

Exit code 1 if the kernel in Python accepts any of them that the proved checker refuses.
"""

import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from ccsim.certificates.certificate import find_program
from tests.certificates.both_checkers import compared, mutations
from tests.certificates.every_length import certificates as certificates_of_every_length
from tests.certificates.examples import certificates
from tests.certificates.mutations import mutations_of_every_length

SMALL = 6000  # bytes of a certificate that is changed many times


def main(folder: str, count: str) -> int:
    """The counts of each pair of verdicts; whatever the kernel accepts alone is printed."""
    saved = [path.read_text(encoding="utf-8") for path in sorted(Path(folder).glob("*.json"))]
    small = [json.loads(text) for text in saved if len(text) <= SMALL]
    of_matrices = [data for data in small if "matrix" in data] + certificates()
    of_every_length = [data for data in small if "family" in data] + certificates_of_every_length()
    sets = {
        "saved": saved,
        "mutations": mutations(of_matrices, int(count), 19),
        "mutations for every length": mutations_of_every_length(of_every_length, int(count) // 4, 20),
    }
    wrong, program = [], find_program()
    for name, texts in sets.items():
        with tempfile.TemporaryDirectory() as work:
            met, alone = compared(program, texts, Path(work))
        wrong += alone
        for (kernel, proved), times in sorted(met.items()):
            print(f"{name}: {times} {kernel} by the kernel, {proved} by the proved checker")
    for text in wrong[:5]:
        print("accepted by the kernel alone:", text[:2000])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
