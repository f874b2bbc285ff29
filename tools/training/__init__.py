"""How hands are recognised: the classifier's training, from pictures and rendered hands, and the tables of its docs."""
