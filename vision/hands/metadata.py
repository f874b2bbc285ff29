"""Adds the metadata of its input image to a network file, without which HandLandmarker refuses a float network; and to
the one that finds landmarks another output, the embedding, which it computes them from. ``python -m
device.system.sandbox vision.hands.metadata NAME`` does it from standard input to standard output: importing mediapipe
may use the network."""

import sys
from typing import Any

import flatbuffers
import numpy as np
from mediapipe.tasks.metadata import metadata_schema_py_generated as schema
from mediapipe.tasks.metadata import schema_py_generated as tflite

LANDMARK_NETWORK = "hand_landmarks_detector.tflite"
"""The network that finds the landmarks of a hand."""


def with_image_metadata(network: bytes, name: str) -> bytes:
    """Return the network with the metadata of its input: R, G, B from 0 to 255, to be scaled to 0–1. The outputs are
    named too, since metadata must name all of them or none."""
    model = tflite.ModelT.InitFromObj(tflite.Model.GetRootAsModel(network, 0))
    graph = model.subgraphs[0]
    if name == LANDMARK_NETWORK:
        graph.outputs = [*graph.outputs, _embedding_tensor(graph)]
    outputs = [(graph.tensors[index].name or b"output").decode() for index in graph.outputs]
    buffer = tflite.BufferT()
    buffer.data = np.frombuffer(_image_metadata(name, outputs), np.uint8)
    entry = tflite.MetadataT()
    entry.name, entry.buffer = b"TFLITE_METADATA", len(model.buffers)
    model.buffers.append(buffer)
    model.metadata = [*(model.metadata or []), entry]
    builder = flatbuffers.Builder(len(network) + 65536)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def _embedding_tensor(graph: Any) -> int:
    """Return the tensor that the landmarks, the first output, are computed from."""
    (last,) = (operator for operator in graph.operators if graph.outputs[0] in operator.outputs)
    return int(last.inputs[0])


def _image_metadata(name: str, outputs: list[str]) -> bytes:
    def create(kind: Any, **fields: Any) -> Any:
        table = kind()
        for field, value in fields.items():
            setattr(table, field, value)
        return table

    scale = create(
        schema.ProcessUnitT,
        optionsType=schema.ProcessUnitOptions.NormalizationOptions,
        options=create(schema.NormalizationOptionsT, mean=[0.0], std=[255.0]),
    )
    content = create(
        schema.ContentT,
        contentPropertiesType=schema.ContentProperties.ImageProperties,
        contentProperties=create(schema.ImagePropertiesT, colorSpace=schema.ColorSpaceType.RGB),
    )
    limits = create(schema.StatsT, min=[0.0], max=[1.0])
    image = create(schema.TensorMetadataT, name="image", content=content, processUnits=[scale], stats=limits)
    graph = create(
        schema.SubGraphMetadataT,
        inputTensorMetadata=[image],
        outputTensorMetadata=[create(schema.TensorMetadataT, name=output) for output in outputs],
    )
    metadata = create(schema.ModelMetadataT, name=name, minParserVersion="1.0.0", subgraphMetadata=[graph])
    builder = flatbuffers.Builder(1024)
    builder.Finish(metadata.Pack(builder), b"M001")
    return bytes(builder.Output())


if __name__ == "__main__":
    sys.stdout.buffer.write(with_image_metadata(sys.stdin.buffer.read(), sys.argv[1]))
