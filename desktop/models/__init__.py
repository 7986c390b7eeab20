"""The model picker: which models there are, whether one fits, and how its download goes."""
