"""From an image of a hand to landmarks, and from landmarks to rock, paper, scissors or none of these."""
