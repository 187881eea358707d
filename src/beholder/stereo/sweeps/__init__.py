"""One model under many settings: variants, sensitivity, error against sparsity."""
