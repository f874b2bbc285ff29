"""The attract page: a round explained while nobody plays."""
