"""Diagnosis of wrong answers: malrules, similar labelled answers, likelihoods of misconceptions."""
