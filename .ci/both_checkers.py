"""Certificates of the claims, and mutations of them, before both checkers: python .ci/both_checkers.py COUNT.

Exit code 1 if the kernel in Python accepts any of them that the proved checker refuses.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from ccsim.certificates.certificate import find_program
from ccsim.claims import Direction, Pool, cells_of, registered_claims, run_cells
from tests.certificates.both_checkers import compared, mutations
from tests.certificates.every_length import certificates as certificates_of_every_length
from tests.certificates.examples import certificates
from tests.certificates.mutations import mutations_of_every_length

SMALL = 6000  # bytes of a certificate that is changed many times


def certificates_of_claims() -> list[str]:
    """Those that claims of a lower bound or of an exact value come with."""
    chosen = [claim for claim in registered_claims().values() if claim.direction in (Direction.LOWER, Direction.EXACT)]
    verdicts = run_cells(cells_of(chosen), workers=Pool(os.cpu_count() or 1, seconds=600))
    kinds = ("certificate", "every_length")
    return [json.dumps(row.attachments[kind]) for row in verdicts for kind in kinds if kind in row.attachments]


def main(count: str) -> int:
    """The counts of each pair of verdicts; whatever the kernel accepts alone is printed."""
    saved = certificates_of_claims()
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
