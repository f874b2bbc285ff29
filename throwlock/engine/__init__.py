"""The engine's protocol, and games between programs that speak it: docs/engine.md."""
