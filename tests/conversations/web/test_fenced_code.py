"""Programs in what a person writes."""

from django.utils.html import strip_tags

from conversations.templatetags.content import fenced_code


def test_text_between_fences_is_code_and_the_text_stays_whole():
    text = "Mine:\n```python\nx = 1 < 2\n```\nIs it right?"
    html = fenced_code(text)
    assert '<code class="fenced">x = 1 &lt; 2</code>' in html
    assert strip_tags(html).replace("&lt;", "<") == text


def test_other_text_stays_as_it_was_typed():
    for text in ("1/2 < 3/4", "`x`", "```\nopen", "```x = 1```"):
        assert fenced_code(text) == text.replace("<", "&lt;")
