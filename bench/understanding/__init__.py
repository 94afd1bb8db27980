"""How well messages are understood, on labelled rows that nobody tunes on: `python -m bench.understanding`."""
