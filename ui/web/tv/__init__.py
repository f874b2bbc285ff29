"""The second screen in a browser: a page that shows what happens, and can do nothing but look."""
