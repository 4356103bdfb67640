"""What time does to pages: pure planners, values in, a Plan out."""
