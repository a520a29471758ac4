"""Certificates for every length that are nearly right."""

import copy
import json
import random

from ccsim.certificates import verify as checker
from ccsim.certificates.verify import Refused
from tests.certificates.mutations import changed, spots


def mutated(data, rng):
    wrong = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 2))):
        section = rng.choice([("proofs", 0, "witness")] * 4 + [("family",), ("parameters",), ("proofs", 0, "value")])
        part = wrong
        for key in section:
            part = part[key]
        path = (*section, *rng.choice(list(spots(part))))
        place = wrong
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = changed(place[path[-1]], rng)
        if not isinstance(wrong["proofs"][0]["witness"], dict) or not isinstance(wrong["family"], dict):
            break
    return wrong


def overclaimed(data):
    """With the value that the checker derives, so that one that derives too much is seen."""
    proof = data["proofs"][0]
    try:
        value = checker.certificates.proved_always(
            data["family"], data["measure"], proof["side"], data["parameters"], proof["witness"]
        )
    except Refused:
        return
    proof["value"] = list(value)


def mutations_of_every_length(every, count, seed):
    """So many certificates, as texts, that are nearly those of a list; half of them claim what the checker derives."""
    rng, texts = random.Random(seed), []
    for _ in range(count):
        data = copy.deepcopy(rng.choice(every))
        data["proofs"] = data["proofs"][:1] if rng.random() < 0.7 else data["proofs"][-1:]
        wrong = mutated(data, rng)
        if rng.random() < 0.5:
            overclaimed(wrong)
        texts.append(json.dumps(wrong))
    return texts
