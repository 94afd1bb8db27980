"""Tables of figures, with a chart of them: as a card in a conversation."""
