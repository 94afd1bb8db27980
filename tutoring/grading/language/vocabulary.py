"""English words for numbers, fractions and operators, units, negations and doubts."""


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


_SMALL_NUMBERS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty"""
NUMBER_WORDS: dict[str, int] = {word: value for value, word in enumerate(_SMALL_NUMBERS.split())} | {
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
    "hundred": 100,
}

_ORDINALS = {
    "third": 3, "fourth": 4, "quarter": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
    "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17,
    "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50, "sixtieth": 60,
    "seventieth": 70, "eightieth": 80, "ninetieth": 90, "hundredth": 100, "thousandth": 1000,
}  # fmt: skip
FRACTION_WORDS: dict[str, int] = (
    {"half": 2, "halves": 2, "halfs": 2} | _ORDINALS | {word + "s": value for word, value in _ORDINALS.items()}
)

OPERATOR_WORDS: dict[str, str] = {
    "plus": "+", "minus": "-", "negative": "-", "times": "*", "over": "/", "percent": "%", "pct": "%", "and": "and",
    "or": "or", "equals": "=", "union": "∪",
}  # fmt: skip

# Words that may follow a number without making it a sentence: "5 pieces", "3 hours".
UNIT_WORDS = word_set("""
    mm cm dm km mi ft yd in inch inches foot feet yard yards mile miles meter meters metre metres centimeter centimeters
    kilometer kilometers unit units mg kg lb lbs oz gram grams kilogram kilograms pound pounds ounce ounces ton tons
    ml liter liters litre litres gal gallon gallons pint pints quart quarts cup cups sec secs second seconds min mins
    minute minutes hr hrs hour hours day days week weeks month months year years yr yrs mph kph km/h deg degree degrees
    rad radian radians dollar dollars cent cents usd euro euros people person student students square sq cubic per
    piece pieces part parts slice slices amu mol mole moles joule joules watt watts volt volts kelvin celsius fahrenheit
    """)
# One-letter units; whether "5 m" is five meters or a product depends on the key.
UNIT_LETTERS = word_set("m s g h l L d K C F N J W V A")

# Short words that are never a product of variables, as "xy" and "abc" are.
PLAIN_WORDS = word_set("""
    the of is it are was be to not no non yes odd even none all any both true false dne nan one's left right up down
    out for with from per but has had his her its who why how did does do can this that each all you we they so if then
    i'm isn't don't can't than too now new big may add sum top gcd lcm
    """)

# With and without apostrophes, as children type them.
NEGATIONS = word_set(
    "not no never isn't doesn't don't cannot can't wasn't aren't neither nor without won't isnt dont cant doesnt didnt arent wasnt wont"
)

# What a number may be called so that it is the answer: "10 is the answer".
ANSWERS = word_set("answer solution result value what right correct left it mine")
# Words that retract, bound or doubt the number beside them: "6 is wrong", "about 6", "6 more than before". A sentence
# with one is not graded, and the learner is asked again. Collected by hand.
DOUBTS = NEGATIONS | word_set("""
    wrong false incorrect untrue nonsense mistake mistaken almost nearly about around roughly approximately approx between either or
    but if unless except instead first thought originally before more less fewer greater bigger smaller larger higher lower above
    below under over than least most until twice double triple thrice half opposite reciprocal inverse squared cubed
    doubt doubts doubtful doubted unlikely disagree hardly scarcely barely rarely fake unlike contrary wonder whether aint nope nah
    says said claims thinks believes guessed tried try attempt supposedly rather unequal excluding besides beyond past short
    too enough extra many off something like close near within another else anything impossible never ever different couldn't wouldn't shouldn't
    """)
