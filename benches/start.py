#!/usr/bin/env python3
"""Start-up: the program's first answers against /bin/true, interleaved. Minimum and median in milliseconds.

    benches/start.py PROGRAM [ROUNDS]

Fails when `why` on the recorded incident takes 30 ms or more at its best.
"""

import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
LIMIT_MS = 30


def took(command):
    begun = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - begun) * 1000


def first_output(command):
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
        run.stdout.read(1)
        first = (time.perf_counter() - begun) * 1000
        run.stdout.read()
    return first


def main():
    program = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    why = [program, "why", "--from", str(ROOT / "fixtures/fleet-scale-conflict")]
    sides = {
        "/bin/true": lambda: took(["/bin/true"]),
        "--version": lambda: took([program, "--version"]),
        "why, first output": lambda: first_output(why),
        "why, whole": lambda: took(why),
    }
    runs = {name: [] for name in sides}
    for _ in range(rounds):
        for name, run in sides.items():
            runs[name].append(run())
    for name, times in runs.items():
        print(f"{name:18} min {min(times):6.1f} ms   median {statistics.median(times):6.1f} ms")
    best = min(runs["why, first output"])
    print(f"{'ok' if best < LIMIT_MS else 'MISS'}: first output after {best:.1f} ms (asked: under {LIMIT_MS})")
    return 0 if best < LIMIT_MS else 1


if __name__ == "__main__":
    sys.exit(main())
