"""Tones, speech and the loudspeaker."""
