"""A cursor over a list of tokens."""

from tutoring.grading.algebra.nodes import Unparsable
from tutoring.grading.parsing.tokenizer import Token


class TokenCursor:
    """Peeks at the next token, takes it, or requires it; never moves past the end token."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.position = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.position]

    def peek(self, ahead: int = 1) -> Token:
        return self.tokens[min(self.position + ahead, len(self.tokens) - 1)]

    def take(self) -> Token:
        token = self.token
        self.position = min(self.position + 1, len(self.tokens) - 1)
        return token

    def at(self, *texts: str) -> bool:
        return self.token.kind == "operator" and self.token.text in texts

    def expect(self, *texts: str) -> str:
        if not self.at(*texts):
            raise Unparsable("brackets" if self.token.kind == "end" else "unexpected")
        return self.take().text
