#!/usr/bin/env python3
"""Trains a teacher: a convolutional network that is too slow to search with, but judges
positions better than the small one. It learns from positions that `tune play` wrote, and
labels them, and those that a search came across, for train.py.

Needs PyTorch and a graphics card to be of use. docs/training.md explains it.
"""

import argparse
import math
import sys
import time

import torch
from torch import nn
from torch.nn import functional

from train import DEVICE, RECORD, SCORE, SEARCHED, SIZE, TAUGHT, Positions, Shape


class Block(nn.Module):
    """A residual block."""

    def __init__(self, n_channels):
        super().__init__()
        conv = lambda: nn.Conv2d(n_channels, n_channels, 3, padding=1, bias=False)
        self.layers = nn.Sequential(
            conv(), nn.BatchNorm2d(n_channels), nn.ReLU(), conv(), nn.BatchNorm2d(n_channels)
        )

    def forward(self, x):
        return functional.relu(x + self.layers(x))


class Teacher(nn.Module):
    """The logarithm of the odds of the player to move."""

    def __init__(self, game, n_blocks, n_channels):
        super().__init__()
        self.shape = Shape(game)
        size = self.shape.size
        self.body = nn.Sequential(
            nn.Conv2d(4, n_channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(n_channels),
            nn.ReLU(),
            *(Block(n_channels) for _ in range(n_blocks)),
        )
        self.head = nn.Sequential(
            nn.Conv2d(n_channels, 32, 1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(32 * size * size, 256),
            nn.ReLU(),
            nn.Linear(256, 1),
        )
        self.to(DEVICE, memory_format=torch.channels_last)

    def forward(self, mover, other, obstacles, symmetry):
        shifts = self.shape.symmetries[symmetry]
        squares = [(words[:, None] >> shifts) & 1 for words in (mover, other, obstacles)]
        # The last plane shows where the board ends.
        squares.append(torch.ones_like(squares[0]))
        size = self.shape.size
        planes = torch.stack(squares, 1).view(-1, 4, size, size).to(torch.bfloat16)
        planes = planes.contiguous(memory_format=torch.channels_last)
        with torch.autocast(DEVICE.type, dtype=torch.bfloat16):
            return self.head(self.body(planes)).squeeze(1).float()


# The number of positions that are kept back for validation.
N_KEPT = 20_000


class Growing:
    """Positions of files that are still being written."""

    def __init__(self, paths, result_share):
        self.offsets = {path: 0 for path in paths}
        self.result_share = result_share
        self.parts = []
        self.kept = None

    def read(self):
        """Reads what was added; returns the number of positions."""
        for path, offset in self.offsets.items():
            records = read(path, offset)
            self.offsets[path] += len(records) * RECORD
            # Those without a score and a result teach nothing.
            records = records[(records[:, 27] & SEARCHED) != 0]
            if len(records) > 0 and self.kept is None:
                self.kept = Positions([records[:N_KEPT]], self.result_share)
                records = records[N_KEPT:]
            if len(records) > 0:
                self.parts.append(Positions([records], self.result_share))
        if len(self.parts) > 1:
            first = self.parts[0]
            for field in ("mover", "other", "obstacles", "target"):
                setattr(first, field, torch.cat([getattr(part, field) for part in self.parts]))
            self.parts = [first]
        return len(self)

    def __len__(self):
        return sum(map(len, self.parts))


def read(path, offset=0):
    """The positions of a file, a row of bytes for each."""
    try:
        with open(path, "rb") as file:
            file.seek(offset)
            data = bytearray(file.read())
    except FileNotFoundError:
        data = bytearray()
    n_records = len(data) // RECORD
    if n_records == 0:
        return torch.zeros(0, RECORD, dtype=torch.uint8)
    return torch.frombuffer(data, dtype=torch.uint8, count=n_records * RECORD).view(-1, RECORD)


def teach(teacher, growing, seconds, rate, batch=4096, log=print, every=20, enough=0):
    """Trains a teacher for so long, on all positions that there are by then."""
    adam = torch.optim.AdamW(teacher.parameters(), lr=rate, weight_decay=1e-3, fused=DEVICE.type == "cuda")
    begin = last = time.monotonic()
    n_steps = n_last = 0
    loss = torch.zeros((), device=DEVICE)
    while growing.read() <= enough:
        time.sleep(1)
    teacher.train()
    while (now := time.monotonic()) < begin + seconds:
        if now > last + every:
            error = validate(teacher, growing.kept)
            log(
                f"{teacher.shape.size} × {teacher.shape.size}: step {n_steps}, {len(growing)} positions, "
                f"learned {loss.item() / max(n_steps - n_last, 1):.6f}  kept back {error:.6f}  {now - begin:.0f} s"
            )
            loss.zero_()
            last, n_last = now, n_steps
            growing.read()
            teacher.train()
        # Constant for the first half, then down along a cosine.
        done = (now - begin) / seconds
        cosine = 0.5 * (1 + math.cos(math.pi * max(0.0, 2 * done - 1)))
        for group in adam.param_groups:
            group["lr"] = rate * min(1, (n_steps + 1) / 500) * max(cosine, 0.01)
        learned = growing.parts[0]
        indices = torch.randint(len(learned), (batch,), device=DEVICE)
        symmetry = torch.randint(8, (batch,), device=DEVICE)
        output = teacher(*learned.at(indices), symmetry)
        error = functional.binary_cross_entropy_with_logits(output, learned.target[indices])
        adam.zero_grad()
        error.backward()
        adam.step()
        with torch.no_grad():
            loss += (torch.sigmoid(output) - learned.target[indices]).square().mean()
        n_steps += 1
    log(f"{n_steps} steps, {len(growing)} positions, kept back {validate(teacher, growing.kept):.6f}")


@torch.no_grad()
def outputs(teacher, positions, batch=16_384):
    """The teacher's outputs for all positions."""
    teacher.eval()
    found = torch.empty(len(positions.mover), device=DEVICE)
    for start in range(0, len(found), batch):
        indices = torch.arange(start, min(start + batch, len(found)), device=DEVICE)
        symmetry = torch.randint(8, indices.shape, device=DEVICE)
        found[indices] = teacher(*positions.at(indices), symmetry)
    return found


@torch.no_grad()
def validate(teacher, positions):
    """The mean squared error."""
    off = torch.sigmoid(outputs(teacher, positions)) - positions.target
    return off.square().mean().item()


class Words:
    """The boards of records."""

    def __init__(self, records):
        words = records[:, :24].to(DEVICE).contiguous().view(torch.int64)
        self.mover, self.other, self.obstacles = (words[:, n].contiguous() for n in range(3))

    at = Positions.at


def label(teacher, records, part=4_000_000):
    """Adds the teacher's scores to records."""
    for start in range(0, len(records), part):
        some = records[start : start + part]
        scores = (outputs(teacher, Words(some)) * SCORE).round().clamp(-32_000, 32_000)
        scores = scores.to(torch.int16)[:, None].view(torch.uint8)
        some[:, 28:30] = scores.to(some.device)
        some[:, 27] |= TAUGHT


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=SIZE)
    parser.add_argument("files", nargs="+", help="positions from `tune play`")
    parser.add_argument("--label", nargs="*", default=[], help="files to label; FILE.taught is written for each")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--channels", type=int, default=128)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--result-share", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(sys.argv[1:])
    torch.manual_seed(options.seed)
    teacher = Teacher(options.game, options.blocks, options.channels)
    teach(teacher, Growing(options.files, options.result_share), options.seconds, options.rate)
    for path in options.label:
        records = read(path).clone()
        label(teacher, records)
        with open(path + ".taught", "wb") as file:
            file.write(records.numpy().tobytes())


if __name__ == "__main__":
    main()
