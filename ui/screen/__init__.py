"""The touchscreen: views are plain data, drawn by pygame on a window or into a picture."""
