"""The lessons of the Learn page: what each section says and the numbers it says it with."""
