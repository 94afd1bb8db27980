"""Which misconception lies behind a wrong answer: malrules, similar answers, likelihoods."""
