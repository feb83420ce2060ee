"""The only room that imports TensorFlow and Keras: in a worker or in a desk, never in the server.

Nothing outside names these modules but by path: `python -m studio.engine.worker`, `python -m studio.engine.desk`
and `python -m studio.engine.probe`.
"""
