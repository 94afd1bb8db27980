"""Places where programs of learners and models run and reach nothing."""
