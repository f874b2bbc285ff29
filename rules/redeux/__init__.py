"""RPS Redeux: pairs, score cards and Risk Rounds."""
