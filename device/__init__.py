"""The box's body: camera and clock, each with a simulated twin that ships and behaves like the real thing."""
