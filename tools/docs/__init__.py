"""Generate the tables of the documents, and the README's moving picture."""
