"""How roles word a reply: instructions for a model, guards, fallback wordings."""
