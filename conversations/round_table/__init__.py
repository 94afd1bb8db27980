"""The round table: several collaborators discuss a question in rounds, and a summarizer puts together what they said."""
