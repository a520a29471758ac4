"""What a protocol's leaves are: monochromatic rectangles, and how few of them cover or partition a matrix."""
