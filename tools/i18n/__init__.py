"""Translation catalogues."""
