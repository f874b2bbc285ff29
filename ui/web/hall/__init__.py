"""The pages of a hall: results for everybody, and the organiser's, who runs its tournaments. Served by the hub."""
