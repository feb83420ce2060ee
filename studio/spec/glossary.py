"""The words of the interface, each explained in one sentence. Settings are explained where they are declared."""

from __future__ import annotations

TERMS: dict[str, str] = {
    "Image": "One picture of a dataset; the model sees it at the image size of the run.",
    "Class": "One of the categories that the model tells apart, for example “daisy”.",
    "Label": "The class that the data says an image belongs to; the model's answer is compared with it.",
    "Split": "A part of a dataset with one purpose: training, validation or test.",
    "Training images": "The images that the model learns from.",
    "Validation images": "Images that are kept out of training and measure progress after every epoch.",
    "Test images": "Images that are never seen in training and never used to choose anything; they measure the end.",
    "Dataset version": "The exact content of a dataset, so that a run can be repeated with the same images.",
    "Recipe": "A ready choice of data, model and settings to start from.",
    "Draft": "What will be trained next: data, model and training, to be changed until it is started.",
    "Run": "A draft that was started: its settings no longer change, and it has a state, curves and a result.",
    "Epoch": "One pass through all training images.",
    "Step": "One change of the weights, after one batch.",
    "Batch": "The images that the model looks at together before it changes its weights once.",
    "Replica": "A copy of the model that trains on its part of each batch; all copies stay equal.",
    "Device": "What does the arithmetic: a TPU, a GPU or the CPU.",
    "Worker": "The process that trains; it goes on when the page or the server is closed.",
    "Checkpoint": "Everything a run needs to go on exactly where it was, written after each epoch.",
    "Backbone": "The part of a pretrained model that turns an image into features, learned on other images before.",
    "Head": "The last layers of a model, which turn features into one score for each class.",
    "Layer": "One stage of a model: it takes numbers in, calculates, and passes numbers on.",
    "Parameter": "One number inside the model that training can set; models have thousands to millions.",
    "Weights": "The values of all parameters: what a model has learned.",
    "Loss": "How wrong the model's answers are, as the number that training makes smaller.",
    "Accuracy": "The share of images for which the likeliest class is the label.",
    "Guessing": "What a model would reach that knows nothing about the image; the least to beat.",
    "Confidence": "The share of certainty, from 0 to 100%, that the model gives to one class.",
    "Top-k": "Counts an answer as right if the label is among the k most likely classes.",
    "Calibration": "Whether confidence can be trusted: of all answers given with 80% confidence, 80% should be right.",
    "Overfitting": "Learning the training images by heart, so that others are answered worse.",
    "Mixed precision": "Calculates in 16 bits and keeps weights in 32: bfloat16 on TPUs and recent GPUs, float16 with "
    "loss scaling on older GPUs; on most CPUs it is slower.",
    "Per-replica batch size": "Images each replica gets per step: the global batch size divided by the number of "
    "replicas; on TPUs use a multiple of 8.",
    "Steps per epoch": "How many full batches the training images make; what is left over differs in each epoch.",
    "Duplicate": "The same picture twice in a dataset.",
    "Leak": "A picture that is in training and also in validation or test, so that it measures memory.",
    "Finding": "Something about the images that is worth a look before training.",
}
