"""Motion estimators against what people (and monkeys) perceive and pursue."""
