"""What all pages are drawn with: the canvas, text, icons, layout, theme and shared parts."""
