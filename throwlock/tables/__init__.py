"""Tables: where the answers of a round come from, camera by camera."""
