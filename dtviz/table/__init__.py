"""Data in: tables read, drawn or made, and the gallery."""
