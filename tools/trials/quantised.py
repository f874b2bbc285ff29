"""Make quantised variants of the hand model's networks, and compare them with the networks as published.

``python -m tools.trials.quantised --per 8 --docs measurements/2026-11/hand-recognition.md`` needs, next to this
project, the package ``ai-edge-quantizer``, which nothing else uses. Every variant reads the same labelled pictures as
the lock does: a hand is found in the whole picture, and read where it is known to be nearly."""

import argparse
import random
import re
import statistics
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from device.camera.frames import Pixels
from errors import ThrowlockError
from tools.docs.generated_sections import add_docs_option, markdown_table, publish
from tools.training.examples import THROW_NAMES, add_image_options, usual_image_files
from tools.trials.tracking import OUTCOMES, displace, landmark_distance, outcome
from vision.hands.detector import DetectedHand, HandDetector
from vision.hands.litert import LitertDetector, Network, Square, tracked_square
from vision.hands.model import ModelSize, model_path
from vision.hands.model_process import ModelProcess
from vision.hands.stills import read_image
from vision.lock.judge import DETECTION_CONFIDENCE

PALM_NETWORK, HAND_NETWORK = "hand_detector.tflite", "hand_landmarks_detector.tflite"
"""The networks' names in a bundle."""
INPUT_NAME, SIGNATURE = "input_1", "serving_default"
XNNPACK_FORCE_FP16 = 4
"""The flag with which XNNPACK computes in half precision, emulated by processors that can't
(TFLITE_XNNPACK_DELEGATE_FLAG_FORCE_FP16)."""
FLOAT_KINDS = ("INPUT", "OUTPUT")
"""What is float32 in every variant, so that all are called alike."""
LAST_LAYERS = ("FULLY_CONNECTED", "LOGISTIC")
"""What gives the second network's results from its 1,152 features."""
MIDDLE_OPERATORS = slice(15, 50)
"""The second network's operators whose activations lose least in eight bits."""
INT8, WEIGHTS, DYNAMIC = "static_wi8_ai8", "weight_only_wi8_afp32", "dynamic_wi8_afp32"
"""Recipes of ai-edge-quantizer: everything in eight bits; weights alone; and activations as well, when it is run."""
CALIBRATION_PICTURES = 150
"""Pictures that the ranges of activations are taken from; none of them is read afterwards."""
TIMED_CALLS = 40
TRACKED_AMOUNT = 0.15
"""How far off the place is from which a hand is read; see ``tools.trials.tracking.displace``."""
SECTION = "quantised networks"


@dataclass(frozen=True)
class Variant:
    """A way to compute the two networks."""

    palm: str | None = None
    """The recipe for the first network; None: as published."""
    hand: str | None = None
    """The recipe for the second network; None: as published."""
    operators: slice = field(default_factory=lambda: slice(None))
    """Which of the second network's operators are quantised."""
    float_kinds: tuple[str, ...] = LAST_LAYERS
    """The kinds of operators among them that are not."""
    half: bool = False
    """Whether XNNPACK computes in half precision."""
    size: ModelSize = "full"


PUBLISHED = "as published"
VARIANTS: Mapping[str, Variant] = {
    PUBLISHED: Variant(),
    "weights int8": Variant(WEIGHTS, WEIGHTS),
    "weights int8, activations when run": Variant(DYNAMIC, DYNAMIC),
    "int8": Variant(INT8, INT8, float_kinds=()),
    "second network int8 but for its last layers": Variant(None, INT8),
    "second network int8 in the middle": Variant(None, INT8, MIDDLE_OPERATORS),
    "half precision, emulated": Variant(half=True),
    "lite, as published": Variant(size="lite"),
}


def unpack_halves(content: bytes) -> bytes:
    """Return a network whose float16 weights are float32, without the operators that dequantize them, and with a
    signature: what ai-edge-quantizer needs. It computes the same, bit by bit."""
    import flatbuffers  # noqa: PLC0415 - of the extra, as the next
    from ai_edge_litert import schema_py_generated as schema  # noqa: PLC0415

    model = schema.ModelT.InitFromPackedBuf(content, 0)
    (graph,) = model.subgraphs
    kept = []
    for operator in graph.operators:
        code = model.operatorCodes[operator.opcodeIndex]
        if max(code.builtinCode, code.deprecatedBuiltinCode) != schema.BuiltinOperator.DEQUANTIZE:
            kept.append(operator)
            continue
        half, single = graph.tensors[operator.inputs[0]], graph.tensors[operator.outputs[0]]
        weights = np.frombuffer(bytes(model.buffers[half.buffer].data), np.float16).astype(np.float32)
        buffer = schema.BufferT()
        buffer.data = np.frombuffer(weights.tobytes(), np.uint8)
        model.buffers.append(buffer)
        single.buffer = len(model.buffers) - 1
    graph.operators = kept

    def tensor_maps(indices: NDArray[np.int32]) -> list[Any]:
        maps = [schema.TensorMapT() for _ in indices]
        for tensor_map, index in zip(maps, indices, strict=True):
            tensor_map.name, tensor_map.tensorIndex = graph.tensors[index].name, int(index)
        return maps

    signature = schema.SignatureDefT()
    signature.signatureKey, signature.subgraphIndex = SIGNATURE, 0
    signature.inputs, signature.outputs = tensor_maps(graph.inputs), tensor_maps(graph.outputs)
    model.signatureDefs = [signature]
    builder = flatbuffers.Builder(4 * len(content))
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def operator_names(content: bytes) -> list[str]:
    """Return the names of a network's operators, in order: those of their first outputs."""
    from ai_edge_litert import schema_py_generated as schema  # noqa: PLC0415

    (graph,) = schema.ModelT.InitFromPackedBuf(content, 0).subgraphs
    return [graph.tensors[operator.outputs[0]].name.decode() for operator in graph.operators]


def quantise(
    content: bytes,
    recipe_name: str,
    images: Sequence[NDArray[np.float32]],
    operators: slice = slice(None),
    float_kinds: Sequence[str] = (),
) -> bytes:
    """Return a network quantised by a recipe of ai-edge-quantizer, but for the operators of ``float_kinds`` and those
    that are not among ``operators``. ``images`` (1, size, size, 3) show the ranges of its activations."""
    from ai_edge_quantizer import qtyping, quantizer, recipe  # noqa: PLC0415

    single = unpack_halves(content)
    chosen = quantizer.Quantizer(bytearray(single), getattr(recipe, recipe_name)())
    if not chosen.need_calibration:
        return bytes(chosen.quantize().quantized_model)
    for kind in (*FLOAT_KINDS, *float_kinds):
        chosen.update_quantization_recipe(".*", qtyping.TFLOperationName(kind), algorithm_key="no_quantize")
    names = operator_names(single)
    for name in set(names) - set(names[operators]):
        only = f"^{re.escape(name)};?$"
        chosen.update_quantization_recipe(only, qtyping.TFLOperationName.ALL_SUPPORTED, algorithm_key="no_quantize")
    ranges = chosen.calibrate({SIGNATURE: [{INPUT_NAME: image} for image in images]})
    return bytes(chosen.quantize(ranges).quantized_model)


class HalfPrecisionNetwork(Network):
    """A network that XNNPACK computes in half precision."""

    def __init__(self, content: bytes, threads: int = 1) -> None:
        from ai_edge_litert.compiled_model import CompiledModel  # noqa: PLC0415
        from ai_edge_litert.options import CpuOptions, Options  # noqa: PLC0415

        super().__init__(content, threads)
        self._shapes = [tuple(output["shape"]) for output in self._interpreter.get_output_details()]
        options = Options(cpu_options=CpuOptions(num_threads=threads, xnnpack_flags=XNNPACK_FORCE_FP16))
        self._model = CompiledModel.from_buffer(content, options=options)
        self._inputs, self._results = self._model.create_input_buffers(0), self._model.create_output_buffers(0)

    @override
    def __call__(self, image: Pixels, square: Square, border: int) -> list[Any]:
        pixels = square.crop(image, self.size, border) * np.float32(1 / 255)
        self._inputs[0].write(pixels.ravel())
        self._model.run_by_index(0, self._inputs, self._results)
        return [
            result.read(int(np.prod(shape)), np.float32).reshape(shape)[0].astype(float)
            for result, shape in zip(self._results, self._shapes, strict=True)
        ]


class LocalModel(ModelProcess):
    """A model in this process instead of one of its own."""

    def __init__(self, detector: LitertDetector) -> None:
        super().__init__()
        self.detector = detector

    @override
    def load(self, path: Path, hands: int, confidence: float) -> int:
        return 0

    def _call(self, operation: str, number: int, image: Pixels, *arguments: Any) -> NDArray[np.void]:
        if operation == "detect":
            return self.detector.detect(image)
        return self.detector.reader.track(image, np.array(arguments[0]))


def read_networks(size: ModelSize) -> dict[str, bytes]:
    """Return the two networks of a size, by their names. Raises ModelError."""
    with zipfile.ZipFile(model_path(size)) as bundle:
        return {name: bundle.read(name) for name in (PALM_NETWORK, HAND_NETWORK)}


def calibration_images(files: Sequence[Path]) -> dict[str, list[NDArray[np.float32]]]:
    """Return what the published networks are given of pictures: their inputs (1, size, size, 3), by the network. Raises
    ImageError, ModelError."""
    detector = LitertDetector(model_path(), 1, DETECTION_CONFIDENCE)
    sizes = {name: Network(content).size for name, content in read_networks("full").items()}
    images: dict[str, list[NDArray[np.float32]]] = {name: [] for name in sizes}

    def add(name: str, image: Pixels, square: Square, border: int) -> None:
        crop = square.crop(image, sizes[name], border)[None]
        images[name].append(np.asarray(crop / np.float32(255), np.float32))

    for file in files:
        image = read_image(file)
        size = np.array([image.shape[1], image.shape[0]], float)
        add(PALM_NETWORK, image, Square(size / 2, float(size.max()), 0.0), cv2.BORDER_CONSTANT)
        for hand in detector.detect(image):
            add(HAND_NETWORK, image, tracked_square(hand["landmarks"] * size), cv2.BORDER_REPLICATE)
    return images


def make_networks(variant: Variant, images: Mapping[str, Sequence[NDArray[np.float32]]]) -> dict[str, bytes]:
    """Return a variant's two networks, by their names."""
    networks = read_networks(variant.size)
    if variant.palm is not None:
        networks[PALM_NETWORK] = quantise(networks[PALM_NETWORK], variant.palm, images[PALM_NETWORK])
    if variant.hand is not None:
        networks[HAND_NETWORK] = quantise(
            networks[HAND_NETWORK], variant.hand, images[HAND_NETWORK], variant.operators, variant.float_kinds
        )
    return networks


def network_class(half: bool) -> type[Network]:
    """Return what computes a network, in half precision or not."""
    return HalfPrecisionNetwork if half else Network


def load_detector(networks: Mapping[str, bytes], half: bool) -> HandDetector:
    """Return a detector that runs these networks in this process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bundle"
        with zipfile.ZipFile(path, "w") as bundle:
            for name, content in networks.items():
                bundle.writestr(name, content)
        detector = LitertDetector(path, 1, DETECTION_CONFIDENCE, network_class=network_class(half))
    return HandDetector(process=LocalModel(detector))


def measure_ms(networks: Mapping[str, Network], image: Pixels) -> dict[str, list[float]]:
    """Return the processor time of ``TIMED_CALLS`` calls of each network, in turn, in ms: on a busy machine it says
    more than the time that passes."""
    whole = Square(np.array(image.shape[1::-1]) / 2, float(max(image.shape)), 0.0)
    times_ms: dict[str, list[float]] = {name: [] for name in networks}
    for _ in range(TIMED_CALLS):
        for name, network in networks.items():
            start_ns = time.thread_time_ns()
            network(image, whole, cv2.BORDER_CONSTANT)
            times_ms[name].append((time.thread_time_ns() - start_ns) / 1e6)
    return times_ms


@dataclass
class VariantReadings:
    """What a variant made of pictures."""

    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    """Counted, by the kind of look."""
    distances: list[float] = field(default_factory=list)
    """How far each hand's farthest landmark is from where the published networks have it, in the longer side of that
    hand."""

    def add(self, look: str, hand: DetectedHand | None, published: DetectedHand | None, label: str) -> None:
        """Add a hand read in a picture whose folder is ``label``."""
        self.outcomes.setdefault(look, Counter())[outcome(hand, label)] += 1
        if hand is not None and published is not None:
            self.distances.append(landmark_distance(hand, published))


def read_pictures(files: Sequence[Path], detectors: Mapping[str, HandDetector]) -> dict[str, VariantReadings]:
    """Return each variant's readings of the pictures in which the published networks find a hand. Raises ImageError."""
    rng = np.random.default_rng(0)
    readings = {name: VariantReadings() for name in detectors}
    for file in files:
        image, label = read_image(file), file.parent.name
        found = {name: next(iter(detector.detect(image)), None) for name, detector in detectors.items()}
        published = found[PUBLISHED]
        if published is None:
            continue
        kind = "throws" if label in THROW_NAMES else "no throws"
        place = displace(published.landmarks, TRACKED_AMOUNT, rng)
        tracked = {name: detector.track(image, place) for name, detector in detectors.items()}
        for name, reading in readings.items():
            reading.add(f"{kind}, found", found[name], published, label)
            reading.add(f"{kind}, tracked", tracked[name], tracked[PUBLISHED], label)
    return readings


def table(times_ms: Mapping[str, Mapping[str, Sequence[float]]], readings: Mapping[str, VariantReadings]) -> str:
    """Return the tables of all variants: times and distances, and what they read."""

    def time_text(network: str, name: str) -> str:
        values = times_ms[network][name]
        return f"{statistics.median(values):.1f} ({min(values):.1f})"

    def counts(name: str, look: str) -> str:
        return " / ".join(str(readings[name].outcomes.get(look, Counter())[each]) for each in OUTCOMES)

    rows: list[tuple[object, ...]] = []
    for name, reading in readings.items():
        apart = [f"{share:.2%}" for share in np.quantile(reading.distances, [0.5, 0.95])]
        rows.append((name, time_text(PALM_NETWORK, name), time_text(HAND_NETWORK, name), *apart))
    looks = ("throws, found", "throws, tracked", "no throws, found", "no throws, tracked")
    head = ("", "first network, ms", "second network, ms", "landmark farthest off: median", "95 in 100")
    return "\n\n".join(
        (
            markdown_table(head, rows),
            f"{' / '.join(OUTCOMES)}:",
            markdown_table(("", *looks), [(name, *(counts(name, look) for look in looks)) for name in readings]),
        )
    )


def compare(root: Path, per_folder: int | None) -> str:
    """Return the tables of all variants, for pictures without the stress sets. Raises ImageError, ModelError."""
    files = usual_image_files(root, per_folder)
    others = sorted(set(usual_image_files(root)) - set(files))
    images = calibration_images(random.Random(1).sample(others, min(CALIBRATION_PICTURES, len(others))))
    made = {name: make_networks(variant, images) for name, variant in VARIANTS.items()}
    times_ms = {}
    for network in (PALM_NETWORK, HAND_NETWORK):
        loaded = {name: network_class(VARIANTS[name].half)(networks[network]) for name, networks in made.items()}
        times_ms[network] = measure_ms(loaded, read_image(files[0]))
    detectors = {name: load_detector(networks, VARIANTS[name].half) for name, networks in made.items()}
    return table(times_ms, read_pictures(files, detectors))


def main() -> None:
    """Print the tables, and write them into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.trials.quantised", description=__doc__)
    add_image_options(parser)
    add_docs_option(parser, SECTION)
    options = parser.parse_args()
    try:
        text = compare(options.pictures, options.per)
    except (ThrowlockError, ImportError, RuntimeError) as error:
        sys.exit(f"python -m tools.trials.quantised: {error}")
    publish(options.docs, {SECTION: text})


if __name__ == "__main__":
    main()
