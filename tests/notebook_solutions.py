"""Right answers to the exercises of the notebooks, in their order: code that defines what the exercise leaves open."""

SOLUTIONS = {
    "01_what_a_bit_costs": [
        "answer = 11",
        """
def odd(bits):
    return sum(bits) % 2

def first(x):
    yield cc.Send(cc.Bits([odd(x)]))
    return (yield cc.Receive())[0]

def second(y):
    both = ((yield cc.Receive())[0] + odd(y)) % 2
    yield cc.Send(cc.Bits([both]))
    return both

mine = cc.Protocol("mine", parity(6), {"alice": first, "bob": second})
""",
        'pair = ("000000", "011110")',
    ],
    "02_rectangles_fooling_sets_rank": [
        'rows, columns = ["0000", "0001", "0010", "0011"], ["0000", "0100", "1000", "1100"]',
        "pairs = [(x, x) for x in greater_than(3).alice]",
        "rank = 15",
        """
from ccsim.bounds import maximum_fooling_set
g = disjointness(2)
pairs = [(g.alice.value(x), g.bob.value(y)) for x, y in maximum_fooling_set(g.matrix, None).cells]
""",
    ],
    "03_exact_complexity": [
        "bits = 3",
        """
def say(x):
    yield cc.Send(cc.Bits([x % 2]))
    return (yield cc.Receive())[0]

def reply(y):
    near = int((yield cc.Receive())[0] != y % 2)
    yield cc.Send(cc.Bits([near]))
    return near

mine = cc.Protocol("mine", ring, {"alice": say, "bob": reply})
""",
        "rows = np.random.default_rng(19).integers(0, 2, (5, 5)).tolist()",
        "bits = 4",
    ],
    "04_recurrent_models_are_one_way_protocols": [
        "bits = 64 * 3 * 2 * 16",
        "from_alice, from_bob = 6, 3",
        "words = tuple(confusion(machine, equality_of_halves(6), 3).words)",
        "width = 63",
    ],
    "05_one_layer_transformers_are_two_way_protocols": ["bits = 120", "sizes = (1, 16)", "width = 19"],
    "06_bounded_dyck": [
        "count = 512",
        'cells = [*starting, ("((", "(("), ("()", "))")]',
        "bits = 7",
        'owners = "AABAABBB"',
    ],
    "07_attention_that_can": ["place = 5", "p = 11", "word = (1, 2, 4, 0, 0)", "n = 112"],
    "08_separations_in_one_picture": ["first = 256", "N = 2 * 1024 * 16 + 1", "sizes = (2, 8, 8)", "head_width = 15"],
    "09_your_own": [
        "bits = 4",
        """
def tell(x):
    yield cc.Send(cc.Bits.unsigned(x, 2))
    return order.answers[(yield cc.Receive()).to_unsigned()]

def judge(y):
    code = 1 + int(np.sign((yield cc.Receive()).to_unsigned() - y))
    yield cc.Send(cc.Bits.unsigned(code, 2))
    return order.answers[code]

protocol = cc.Protocol("mine", order, {"alice": tell, "bob": judge})
""",
        "rows = [[x >> y & 1 for y in range(6)] for x in range(64)]",
        """
steps = [[0, 0] for _ in range(6)]  # begin; (first, last) of a and b; spoilt
steps[0] = [1, 4]
steps[1], steps[2] = [5, 2], [1, 2]  # began with a, last a or b
steps[3], steps[4] = [5, 4], [3, 4]  # began with b, last a or b
steps[5] = [5, 5]
table = TransitionTable("ab", (0, 1), [steps], [1, 0, 1, 1, 1, 0])
""",
        "pair = (forgetful, forgetful.task(8))",
    ],
    "10_every_length": ["bits = 51", 'expression = "a*b*a*b*"', "bits = certificate.lower(500)"],
}
