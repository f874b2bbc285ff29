"""Views, strings and samples that several pages share."""
