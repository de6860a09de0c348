#!/usr/bin/env python3
"""Trains the network of Takeover or Ataxx on positions that `tune play` wrote.

Needs PyTorch; uses the graphics card if there is one. docs/training.md explains it.
The same seed, files and machine give the same weights.
"""

import argparse
import math
import struct
import sys
import time

import torch

SIZE = {"takeover": 6, "ataxx": 7}
N_STAGES = 8
# As in crates/bots/src/takeover/network.rs.
ONE_HIDDEN = 255
ONE_OUTPUT = 64
SCORE = 400
# As in crates/tune/src/takeover.rs.
RECORD = 32
NO_RESULT = 3
SEARCHED, TAUGHT = 1, 2
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Shape:
    """The inputs of a game's network."""

    def __init__(self, game):
        self.size = SIZE[game]
        self.shows_obstacles = game == "takeover"
        self.n_windows = (self.size - 1) ** 2
        self.n_patterns = 256 if self.shows_obstacles else 81
        self.n_squares = self.size**2
        self.n_rows = self.n_windows * self.n_patterns
        if not self.shows_obstacles:
            self.n_rows += self.n_squares
        # Matrix products like round numbers.
        self.width = -(-self.n_rows // 32) * 32
        last = self.size - 1
        symmetries = []
        for symmetry in range(8):
            shifts = []
            for rank in range(self.size):
                for file in range(self.size):
                    f = last - file if symmetry & 1 else file
                    r = last - rank if symmetry & 2 else rank
                    if symmetry & 4:
                        f, r = r, f
                    shifts.append(r * 8 + f)
            symmetries.append(shifts)
        self.symmetries = torch.tensor(symmetries, device=DEVICE)
        self.first_rows = torch.arange(self.n_windows, device=DEVICE) * self.n_patterns

    def windows(self, squares, base):
        """The digits of the four squares of every window, as one number."""
        s = squares.view(-1, self.size, self.size)
        number = (
            s[:, :-1, :-1]
            + base * s[:, :-1, 1:]
            + base**2 * s[:, 1:, :-1]
            + base**3 * s[:, 1:, 1:]
        )
        return number.reshape(-1, self.n_windows)

    def inputs(self, mover, other, obstacles, symmetry):
        """The rows that are on in the mover's view, followed by those in the other's
        view; the obstacles, where they have rows of their own; and the stage."""
        shifts = self.symmetries[symmetry]
        own, their, wall = (
            (squares[:, None] >> shifts) & 1 for squares in (mover, other, obstacles)
        )
        n_taken = (own + their + wall).sum(1)
        stage = n_taken * N_STAGES // (self.n_squares + 1)
        if self.shows_obstacles:
            a, b = self.windows(own | wall, 2), self.windows(their | wall, 2)
            return torch.cat([a + 16 * b, b + 16 * a]) + self.first_rows, None, stage
        patterns = self.windows(torch.cat([own + 2 * their, their + 2 * own]), 3)
        return patterns + self.first_rows, torch.cat([wall, wall]), stage

    def summed(self, rows, patterns, walls):
        """The sum of the rows that are on."""
        start = self.n_windows * self.n_patterns
        if not patterns.is_cuda:
            total = torch.nn.functional.embedding_bag(patterns, rows, mode="sum")
            return total if walls is None else total + walls.to(rows.dtype) @ rows[start : self.n_rows]
        # A card is faster at multiplying matrices than at adding rows one by one. Half
        # precision is exact for the inputs, and good enough for products.
        inputs = torch.zeros(len(patterns), self.width, dtype=torch.float16, device=DEVICE)
        inputs.scatter_(1, patterns, 1)
        if walls is not None:
            inputs[:, start : self.n_rows] = walls
        return (inputs @ rows.to(inputs.dtype)).float()


class Network(torch.nn.Module):
    """The network in floats."""

    def __init__(self, shape, n_units, generator):
        super().__init__()
        self.shape = shape
        self.n_units = n_units

        def uniform(scale, *size):
            numbers = torch.rand(*size, generator=generator, device=DEVICE)
            return torch.nn.Parameter((2 * numbers - 1) * scale)

        self.rows = uniform(0.08, shape.width, n_units)
        self.bias = torch.nn.Parameter(torch.full((n_units,), 0.25, device=DEVICE))
        self.mover = uniform(0.2, n_units, N_STAGES)
        self.other = uniform(0.2, n_units, N_STAGES)
        self.output_bias = torch.nn.Parameter(torch.zeros(N_STAGES, device=DEVICE))

    def forward(self, patterns, walls, stage):
        hidden = self.shape.summed(self.rows, patterns, walls) + self.bias
        mover, other = hidden.clamp(0, 1).square().chunk(2)
        outputs = mover @ self.mover + other @ self.other + self.output_bias
        return outputs.gather(1, stage[:, None]).squeeze(1)

    @torch.no_grad()
    def clip(self):
        """Keeps all weights so small that they fit into a byte."""
        self.rows.clamp_(-127 / ONE_HIDDEN, 127 / ONE_HIDDEN)
        self.mover.clamp_(-127 / ONE_OUTPUT, 127 / ONE_OUTPUT)
        self.other.clamp_(-127 / ONE_OUTPUT, 127 / ONE_OUTPUT)

    @torch.no_grad()
    def whole(self):
        """The weights as whole numbers: rows, hidden biases, output weights of both
        views, and output biases."""
        return [
            (self.rows[: self.shape.n_rows] * ONE_HIDDEN).round().long().cpu(),
            (self.bias * ONE_HIDDEN).round().long().cpu(),
            (self.mover * ONE_OUTPUT).round().long().cpu(),
            (self.other * ONE_OUTPUT).round().long().cpu(),
            (self.output_bias * (ONE_OUTPUT * ONE_HIDDEN**2)).round().long().cpu(),
        ]

    def write(self, path):
        """Writes the weights as crates/bots reads them."""
        rows, bias, mover, other, output_bias = self.whole()
        with open(path, "wb") as file:
            file.write(rows.to(torch.int8).numpy().tobytes())
            file.write(bias.to(torch.int16).numpy().tobytes())
            for stage in range(N_STAGES):
                for weights in (mover, other):
                    file.write(weights[:, stage].to(torch.int8).numpy().tobytes())
                file.write(struct.pack("<i", int(output_bias[stage])))

    @torch.no_grad()
    def read(self, path):
        """Begins with the weights of a file."""
        data = open(path, "rb").read()

        def take(n, kind):
            nonlocal data
            size = n * kind.itemsize
            part, data = data[:size], data[size:]
            return torch.frombuffer(bytearray(part), dtype=kind).float().to(DEVICE)

        n = self.shape.n_rows
        rows = take(n * self.n_units, torch.int8).view(n, self.n_units)
        self.rows[:n] = rows / ONE_HIDDEN
        self.bias.copy_(take(self.n_units, torch.int16) / ONE_HIDDEN)
        for stage in range(N_STAGES):
            self.mover[:, stage] = take(self.n_units, torch.int8) / ONE_OUTPUT
            self.other[:, stage] = take(self.n_units, torch.int8) / ONE_OUTPUT
            self.output_bias[stage] = take(1, torch.int32)[0] / (ONE_OUTPUT * ONE_HIDDEN**2)


@torch.no_grad()
def average(game, paths, n_units):
    """The mean of networks, which has to be of some that began with the same weights."""
    networks = []
    for path in paths:
        networks.append(Network(Shape(game), n_units, torch.Generator(DEVICE)))
        networks[-1].read(path)
    for mean, *others in zip(*(network.parameters() for network in networks)):
        mean.copy_(torch.stack([mean, *others]).mean(0))
    return networks[0]


class Positions:
    """Positions with what their mover can expect."""

    def __init__(self, parts, result_share, teacher_share=0.0):
        """`parts` are tensors of bytes, a row for each position. Of search, result and
        teacher, those that a position lacks do not count; one without any is dropped."""
        records = torch.cat(parts).to(DEVICE)
        has_result = records[:, 26] != NO_RESULT
        has_score, has_teacher = ((records[:, 27] & flag) != 0 for flag in (SEARCHED, TAUGHT))
        score, taught = (
            torch.sigmoid(records[:, n : n + 2].contiguous().view(torch.int16).squeeze(1) / SCORE)
            for n in (24, 28)
        )
        shares = torch.stack(
            [
                (1 - result_share - teacher_share) * has_score,
                result_share * has_result,
                teacher_share * has_teacher,
            ]
        )
        expected = torch.stack([score, records[:, 26] / 2, taught])
        total = shares.sum(0)
        is_known = total > 0
        self.target = ((shares * expected).sum(0) / total)[is_known]
        words = records[:, :24].contiguous().view(torch.int64)[is_known]
        self.mover, self.other, self.obstacles = (words[:, n].contiguous() for n in range(3))

    def __len__(self):
        return len(self.target)

    def at(self, indices):
        return self.mover[indices], self.other[indices], self.obstacles[indices]


def load(path):
    """The positions of a file, whole games held back for validation from them."""
    with open(path, "rb") as file:
        data = bytearray(file.read())
    records = torch.frombuffer(data, dtype=torch.uint8, count=len(data) // RECORD * RECORD)
    records = records.view(-1, RECORD)
    n_learned = len(records) - min(len(records) // 50, 50_000)
    return records[:n_learned], records[n_learned:]


@torch.no_grad()
def validate(network, positions, batch=16_384):
    """The mean squared error."""
    error = 0.0
    for start in range(0, len(positions), batch):
        indices = torch.arange(start, min(start + batch, len(positions)), device=DEVICE)
        symmetry = torch.zeros_like(indices)
        inputs = network.shape.inputs(*positions.at(indices), symmetry)
        off = torch.sigmoid(network(*inputs)) - positions.target[indices]
        error += off.square().sum().item()
    return error / max(len(positions), 1)


def fit(game, files, options, log=print):
    """Trains a network on the positions in `files`."""
    loaded = [load(path) for path in files]
    shares = options.result_share, options.teacher_share
    learned = Positions([learned for learned, _ in loaded], *shares)
    kept = Positions([kept for _, kept in loaded], *shares)
    del loaded
    return fit_to(game, learned, kept, options, log)


def fit_to(game, learned, kept, options, log=print):
    """Trains a network on positions; reports the error on those kept back."""
    shape = Shape(game)
    torch.manual_seed(options.seed)
    generator = torch.Generator(DEVICE).manual_seed(options.seed)
    network = Network(shape, options.units, generator)
    if options.start:
        network.read(options.start)
    is_cuda = DEVICE.type == "cuda"
    rate = torch.zeros((), device=DEVICE)
    kind = {"fused": True, "capturable": True} if is_cuda else {"foreach": False}
    adam = torch.optim.Adam(network.parameters(), lr=rate, **kind)
    for group in adam.param_groups:
        group["lr"] = rate
    seen = torch.zeros(shape.width, dtype=torch.uint8, device=DEVICE)
    seen[shape.n_windows * shape.n_patterns :] = 1
    loss = torch.zeros((), device=DEVICE)

    def step():
        draw = lambda n: torch.randint(n, (options.batch,), device=DEVICE)
        indices, symmetry = draw(len(learned)), draw(8)
        inputs = shape.inputs(*learned.at(indices), symmetry)
        # The sum, since the slopes of a mean would be too small for half precision.
        error = (torch.sigmoid(network(*inputs)) - learned.target[indices]).square().sum()
        adam.zero_grad()
        error.backward()
        adam.step()
        with torch.no_grad():
            network.rows.mul_(1 - rate * options.decay)
            network.clip()
            loss.add_(error / options.batch)
            seen.scatter_(0, inputs[0].flatten(), 1)

    # A card takes less time for a step than Python takes to ask for it, so the step is
    # recorded.
    play = recorded(step) if is_cuda else step
    loss.zero_()
    begin = time.monotonic()
    n_steps, report = options.steps, max(options.steps // 5, 1)
    for n in range(n_steps):
        # A short warm-up, then down along a cosine.
        warm_up = (n + 1) / 200 if n < 200 else 1
        cosine = 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * n / n_steps))
        rate.fill_(options.rate * warm_up * cosine)
        play()
        if (n + 1) % report == 0:
            log(
                f"{game} step {n + 1}  learned {loss.item() / report:.6f}  "
                f"kept back {validate(network, kept):.6f}  "
                f"{time.monotonic() - begin:.0f} s"
            )
            loss.zero_()
    # Patterns that never occur need no weights, and zeros are short when compressed.
    with torch.no_grad():
        network.rows[seen == 0] = 0
    return network


def recorded(step):
    """The step as a CUDA graph. At a rate of 0, the steps before change nothing but the
    moments of Adam."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def mix(x):
    """The finalizer of SplitMix64, as `rules::mix`."""
    x = (x ^ x >> 30) * 0xBF58_476D_1CE4_E5B9 % 2**64
    x = (x ^ x >> 27) * 0x94D0_49BB_1331_11EB % 2**64
    return x ^ x >> 31


def check(game, path, n_units, n_positions=2_000):
    """The scores of positions that crates/bots/tests/network.rs draws as well, computed
    plainly from the weights in `path`."""
    shape = Shape(game)
    network = Network(shape, n_units, torch.Generator(DEVICE))
    network.read(path)
    rows, bias, mover, other, output_bias = network.whole()
    board = sum(1 << rank * 8 + file for rank in range(shape.size) for file in range(shape.size))
    words = []
    for n in range(n_positions):
        a, b, c, d = (mix(4 * n + k + 1) for k in range(4))
        # Boards from nearly empty to nearly full, with few obstacles.
        taken = [a & b, a, a | b][n % 3] & board
        wall = a & b & c & mix(4 * n + 1 << 32) & board
        own, their = taken & d & ~wall, taken & ~d & ~wall
        words.append([word - 2**64 if word >= 2**63 else word for word in (own, their, wall)])
    own, their, wall = torch.tensor(words, device=DEVICE).T
    patterns, walls, stage = shape.inputs(own, their, wall, torch.zeros_like(own))
    walls = None if walls is None else walls.cpu()
    # Doubles hold these whole numbers exactly.
    hidden = shape.summed(rows.double(), patterns.cpu(), walls).long() + bias
    squared = hidden.clamp(0, ONE_HIDDEN).square()
    ours, theirs = squared.chunk(2)
    sums = (ours.double() @ mover.double() + theirs.double() @ other.double()).long()
    sums = (sums + output_bias).gather(1, stage.cpu()[:, None]).squeeze(1)
    return torch.div(sums, ONE_OUTPUT * ONE_HIDDEN**2 // SCORE, rounding_mode="trunc").tolist()


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=SIZE)
    parser.add_argument("files", nargs="*", help="positions from `tune play`")
    parser.add_argument("--out", help="where to write the weights")
    parser.add_argument("--start", help="weights to begin with, in place of random ones")
    parser.add_argument("--average", nargs="+", default=[], help="weights to average instead")
    parser.add_argument("--check", help="writes the scores of test positions to this file")
    parser.add_argument("--units", type=int, default=128)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--batch", type=int, default=16_384)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--decay", type=float, default=0.05, help="of the input weights")
    parser.add_argument("--result-share", type=float, default=0.3)
    parser.add_argument("--teacher-share", type=float, default=0.0, help="see teacher.py")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(arguments)


def main():
    options = parse(sys.argv[1:])
    if options.files:
        fit(options.game, options.files, options).write(options.out)
    if options.average:
        average(options.game, options.average, options.units).write(options.out)
    if options.check:
        scores = check(options.game, options.out, options.units)
        with open(options.check, "w") as file:
            file.writelines(f"{score}\n" for score in scores)


if __name__ == "__main__":
    main()
