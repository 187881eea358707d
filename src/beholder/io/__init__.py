"""Files in and out: pictures, films, flow, disparity, tables, recordings of gaze. Arrays and files only."""
