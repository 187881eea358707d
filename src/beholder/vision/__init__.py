"""What several domains do with images: arrays in, arrays out."""
