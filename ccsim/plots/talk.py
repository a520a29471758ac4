"""A transcript as a message-sequence chart: a line for each party, an arrow for each message."""

from __future__ import annotations

from ccsim.engine.model import Message, Transcript
from ccsim.engine.run import Run
from ccsim.plain_data import counted
from ccsim.plots.svg import INK, PALETTE, SOFT, Picture, shortened, words

STEP, HEAD, BETWEEN = 40, 44, 300
FIRST, LAST = 40, 8  # messages that are shown of a long conversation


def sequence_picture(said: Transcript | Run) -> Picture:
    """Who said what to whom, downwards in time: bits above each arrow, the running total beside it.

    Of more than 50 messages the first 40 and the last 8 are shown.

    >>> from ccsim.problems import equality
    >>> from protocols.classical import trivial
    >>> sequence_picture(trivial(equality(2)).run("01", "01")).told
    'message-sequence chart: 3 bits in 2 messages, 2 rounds; answer 1'
    """
    transcript = said.transcript if isinstance(said, Run) else said
    parties = list(said.answers) if isinstance(said, Run) else []
    for message in transcript:
        parties += [role for role in (message.sender, *message.receivers) if role not in parties]
    parties = sorted(dict.fromkeys(parties), key=lambda role: (role not in ("alice", "bob"), role))
    total_of = {row["number"]: row["total"] for row in transcript.table()}
    numbered = list(enumerate(transcript, start=1))
    cut = len(numbered) > FIRST + LAST + 2
    shown = [*numbered[:FIRST], None, *numbered[-LAST:]] if cut else list(numbered)
    lines = {role: 70 + place * BETWEEN for place, role in enumerate(parties)}
    end = HEAD + STEP * len(shown) + 26
    width = 140 + BETWEEN * max(1, len(parties) - 1) + 60
    parts = [_party(role, x, end, place) for place, (role, x) in enumerate(lines.items())]
    parts.append(words(width - 8, 22, "total", size=12, anchor="end", colour=SOFT))
    for place, entry in enumerate(shown):
        y = HEAD + STEP * (place + 1)
        if entry is None:
            parts.append(words(width / 2, y - 8, f"… {len(numbered) - FIRST - LAST} more messages …", colour=SOFT))
            continue
        number, message = entry
        parts.append(_arrow(message, y, lines, PALETTE[parties.index(message.sender) % 4]))
        parts.append(words(8, y + 4, str(number), size=12, anchor="start", colour=SOFT))
        parts.append(words(width - 8, y + 4, str(total_of[number]), size=12, anchor="end"))
    told = transcript.summary() + (f"; answer {said.answer}" if isinstance(said, Run) else "")
    parts.append(words(width / 2, end + 18, told, size=13))
    return Picture("".join(parts), width, end + 28, f"message-sequence chart: {told}")


def _party(role: str, x: float, end: float, place: int) -> str:
    colour = PALETTE[place % 4]
    return (
        f'<rect x="{x - 44}" y="6" width="88" height="24" rx="4" fill="#ffffff" stroke="{colour}" stroke-width="2"/>'
        + words(x, 23, role)
        + f'<path d="M{x} 30V{end}" stroke="{SOFT}" stroke-dasharray="2 4" fill="none"/>'
    )


def _arrow(message: Message, y: float, lines: dict[str, int], colour: str) -> str:
    begin = lines[message.sender]
    parts = []
    for role in message.receivers:
        to = lines[role]
        sign = 1 if to > begin else -1
        tip = to - 2 * sign
        parts.append(
            f'<path d="M{begin} {y}H{tip - 8 * sign}" stroke="{colour}" stroke-width="2" fill="none"/>'
            f'<path d="M{tip} {y}l{-10 * sign} -5v10z" fill="{colour}"/>'
        )
    nearest = min((lines[role] for role in message.receivers), key=lambda x: abs(x - begin), default=begin + BETWEEN)
    middle = begin + (BETWEEN / 2 if nearest > begin else -BETWEEN / 2)  # beside the sender, on no other party's line
    bits = str(message.bits)
    told = bits if len(bits) <= 24 else f"{bits[:16]}… ({counted(len(bits), 'bit')})"
    parts.append(words(middle, y - 5, told or "(empty)", size=13, colour=INK, more='font-family="monospace"'))
    parts.append(words(middle, y + 13, shortened(message.label, 52), size=11, colour=SOFT))
    return "".join(parts)
