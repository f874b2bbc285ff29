"""A whole hall on this machine: Mosquitto, PostgreSQL, a hub and simulated boxes, to try it, load it and break it."""
