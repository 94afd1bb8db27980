"""Speech to text and text to speech, by servers with OpenAI's API or by embedded models."""
