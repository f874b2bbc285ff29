"""Generate the tables and drawings of the documents."""
