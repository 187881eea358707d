"""Movies and answers of motion models in files."""
