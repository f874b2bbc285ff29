"""Hardware: cameras, buttons, lights, sound and clocks, each with a simulated version that behaves alike."""
