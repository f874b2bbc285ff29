"""What several pages share: views, strings, samples."""
