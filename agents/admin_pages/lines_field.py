"""A form field for a list that is stored as JSON."""

from typing import Any

from django import forms


class LinesField(forms.CharField):
    """Form field for a list of words, one per line. The model's own validators, or those given, check it."""

    widget = forms.Textarea(attrs={"rows": 6, "cols": 40})
    empty_values = [None]

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return list(dict.fromkeys(line.strip() for line in (value or "").splitlines() if line.strip()))
