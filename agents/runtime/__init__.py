"""Which model, speaker and speech service a person gets: settings, consent and limits applied."""
