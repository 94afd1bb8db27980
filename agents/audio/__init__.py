"""Speech turned into words, and words into speech: by any server that speaks OpenAI's wire, or by embedded models."""
