"""The only code that touches streamlit: state, controls and the bodies of the pages."""
