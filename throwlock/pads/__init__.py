"""Phones as private pads: which phone answers for which seat, and what each is asked."""
