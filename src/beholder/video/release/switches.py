"""The defects of VMBench's released scripts, each a switch with a name."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Switches:
    """Which defects are kept. All True is what the released scripts compute; a switch that is off mends one of them."""

    cas_without_weights: bool = True
    """D1. CAS never loads its checkpoint: five classes are equally likely, and every clip gets 0.49995."""

    amplitude_left_out_of_total: bool = True
    """D2. The table looks for PAS under a misspelt name: the total is the mean of the other four."""

    sam_boxes_misplaced: bool = True
    """D3. PAS scales boxes for SAM by (3, H′) instead of the frame's size: it looks for subjects in the wrong place."""

    background_is_union_of_complements: bool = True
    """D4. PAS takes what lies outside any one object as background: with two objects, everything."""

    query_at_keyframe_index: bool = True
    """D5. TCS asks the tracker at frame k for a mask of the k-th keyframe; "before" and "after" mean this frame."""

    lost_detection_keeps_ids: bool = True
    """D6. TCS keeps all objects where the detector finds none: a single object can never vanish."""

    failure_is_perfect: bool = True
    """D7. What is not found is perfect: TCS is 1 without a subject, OIS 1 without a body, PAS the camera's motion."""

    per_frame_thresholds: bool = True
    """D8. Thresholds of OIS and MSS are per frame and PAS sums over the whole clip, whatever its rate and length."""

    absolute_quality_change: bool = True
    """D9. MSS counts improvements, too, and two frames for each change; the paper counts drops, one frame each."""

    first_person_only: bool = True
    """D10. OIS reads one body per frame, the most confident one, without checking that it is always the same."""

    def __str__(self) -> str:
        """What is mended, in words.

        >>> str(Switches()), str(Switches(first_person_only=False))
        ('as released', 'as released, but not first_person_only')
        """
        mended = [field.name for field in fields(self) if not getattr(self, field.name)]
        return "as released" + (f", but not {', '.join(mended)}" if mended else "")


AS_RELEASED = Switches()
MENDED = Switches(*[False] * len(fields(Switches)))
