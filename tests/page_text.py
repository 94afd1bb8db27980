"""Reading pages in tests."""

import re
from typing import Any


def without_csrf(response: Any) -> str:
    """Return a page's text without the CSRF token and the nonce, which differ each time it is asked for."""
    page = re.sub(r'(X-CSRFToken": |csrfmiddlewaretoken" value=)"[^"]*"', r"\1", response.content.decode())
    return re.sub(r' nonce="[^"]*"', "", page)
