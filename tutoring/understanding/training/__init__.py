"""Fitting the classifiers: examples, cross-validation, the encoder's tuning script."""
