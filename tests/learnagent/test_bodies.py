"""How much may be sent is decided by a request's head alone."""

import pytest

from learnagent.bodies import answer_to, most_bytes, refusal_of


def test_is_read_up_to_the_limit():
    """B9"""
    assert refusal_of([]) is None
    assert refusal_of([(b"content-length", str(most_bytes()).encode())]) is None


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ([(b"content-length", str(10**8).encode())], 413),
        ([(b"content-length", b"9" * 100)], 400),
        ([(b"content-length", b"-1")], 400),
        ([(b"content-length", b"1e3")], 400),
        ([(b"content-length", b"5"), (b"content-length", b"6")], 400),
        ([(b"transfer-encoding", b"chunked")], 413),
        ([(b"transfer-encoding", b"chunked"), (b"content-length", b"5")], 413),
    ],
)
def test_is_refused_where_the_head_says_too_much_or_nothing(headers, status):
    """B9"""
    refused, answered, body = answer_to(refusal_of(headers))
    assert refused == status
    assert dict(answered)[b"Content-Length"] == str(len(body)).encode()
    assert b"error" in body
