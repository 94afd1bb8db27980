"""One judge per kind of question: amounts, choices, arrangements, sets, steps, texts."""
