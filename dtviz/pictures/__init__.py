"""Pictures of a tree as pure functions: engine values in, a frame, a plotly Figure or DOT out.

Only `charts.figure` imports plotly, when a chart is drawn.
"""
