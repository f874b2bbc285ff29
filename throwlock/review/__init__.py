"""What the review pages show, from the journal, and the commands that serve, export and import it."""
