"""Conversations by phone: Twilio turns speech into text and sends it here; what is answered is read aloud."""
