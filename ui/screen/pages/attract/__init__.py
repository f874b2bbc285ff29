"""The attract page: how a round goes, while nobody is there."""
