"""What comes before teaching: somebody who may be in danger, or asks for what is not safe."""
