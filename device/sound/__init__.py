"""Tones and the loudspeaker."""
