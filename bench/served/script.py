"""What the simulated team says, and when."""

AGENTS = ("analysis", "research", "quiz")
TOKEN = "token "
TOKENS = 50
PACE_S = 0.02
MODEL_S = TOKENS * PACE_S
"""How long a turn's models take: what a turn takes beyond that is ours."""
REPLY = (
    "**A half** is one of two *equal* parts.\n\n- cut it in two\n- compare both\n- say so\n\n"
    + "Half of it is half. " * 45
)
TORRENT = "torrent"
"""The message that is answered with as much as one agent may say, in small pieces."""
PIECES, PIECE = 40_000, "drop "
