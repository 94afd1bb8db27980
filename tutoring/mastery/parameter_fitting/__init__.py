"""Fitting of the mastery model's parameters to answers: EM, replay, acceptance."""
