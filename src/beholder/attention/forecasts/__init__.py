"""Where the eye goes next: what models say of the next fixation, given those before it."""
