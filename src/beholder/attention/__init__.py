"""Where people look: saliency maps, fixation densities and scanpaths against recorded eye movements."""
