"""Pictures of boards as SVG: numbers and texts in, a picture out."""
