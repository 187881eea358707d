"""Video: is the motion in clips right to people's eyes?"""
