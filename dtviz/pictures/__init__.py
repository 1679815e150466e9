"""Pictures of a tree as pure functions: engine values in, a frame, a plotly Figure or DOT out.

Only `gains` needs plotly; whoever opens a chart imports it there.
"""
