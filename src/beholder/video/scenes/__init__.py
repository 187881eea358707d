"""Generated scenes: shapes, textures and a figure that move lawfully, with the true motion."""
