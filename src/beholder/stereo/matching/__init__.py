"""What matchers are made of: cost volumes, OpenCV around its borders, filling of holes."""
