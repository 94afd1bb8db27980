"""Safety before teaching: somebody who may be in danger, or asks for something unsafe."""
