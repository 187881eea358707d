"""What the released scripts of VMBench compute, with their defects as switches."""
