"""Reminders of reviews that are due: by mail, and as a calendar. Off until a learner asks for them."""
