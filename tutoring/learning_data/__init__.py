"""Read-only questions over learning data: a person's own, and of the classes they teach, as each class has agreed."""
