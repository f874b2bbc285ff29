"""The box itself: its camera, Wi-Fi, time zone and power."""
