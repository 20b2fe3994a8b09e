#!/usr/bin/env python3
"""All failed releases of one cluster: this program beside `helm list -A --failed`, on a real API server.

    KUBEBUILDER_ASSETS=$(tests/rig/build) benches/live.py [PROGRAM]

500 releases with 5 revisions of about 100 KB each, 20 of them failed. Prints wall time (minimum and median
of interleaved runs), peak memory, and the bytes that came over the wire through a counting relay. Asks for:
at most 3 MB read, at most 1/30 of helm's wall, at most 60 MB of memory, and 20 reasons named.
"""

import asyncio
import base64
import concurrent.futures
import gzip
import http.client
import json
import os
import pathlib
import random
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time

RELEASES, REVISIONS, FAILED, ROUNDS = 500, 5, 20, 5
PAYLOAD = 100_000
REASON = (
    "Upgrade \"{name}\" failed: conflict occurred while applying object {namespace}/{name} apps/v1, "
    "Kind=Deployment: Apply failed with 1 conflict: conflict with \"kubectl\" with subresource \"scale\" "
    "using apps/v1: .spec.replicas"
)


def assets():
    folder = os.environ.get("KUBEBUILDER_ASSETS")
    if not folder:
        sys.exit("KUBEBUILDER_ASSETS does not name the folder of etcd, kube-apiserver and helm: skipped")
    return pathlib.Path(folder)


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


class ControlPlane:
    """etcd and an API server on loopback, and a kubeconfig for a relay in front of it."""

    def __init__(self, programs, folder):
        self.folder, self.port = folder, free_port()
        client, peer = free_port(), free_port()
        self.processes = []
        self.start(
            programs / "etcd", f"--data-dir={folder}/etcd", f"--listen-client-urls=http://127.0.0.1:{client}",
            f"--advertise-client-urls=http://127.0.0.1:{client}", f"--listen-peer-urls=http://127.0.0.1:{peer}",
            f"--initial-advertise-peer-urls=http://127.0.0.1:{peer}",
            f"--initial-cluster=default=http://127.0.0.1:{peer}", "--unsafe-no-fsync", "--log-level=error",
            "--quota-backend-bytes=4294967296")
        key = subprocess.run(["openssl", "genrsa", "2048"], capture_output=True, check=True).stdout
        (folder / "sa.key").write_bytes(key)
        (folder / "tokens.csv").write_text("admintoken,admin,1,system:masters\n")
        self.start(
            programs / "kube-apiserver", f"--etcd-servers=http://127.0.0.1:{client}", f"--cert-dir={folder}/pki",
            "--bind-address=127.0.0.1", "--endpoint-reconciler-type=none", f"--secure-port={self.port}",
            "--service-cluster-ip-range=10.0.0.0/24", "--authorization-mode=RBAC",
            f"--token-auth-file={folder}/tokens.csv",
            "--service-account-issuer=https://kubernetes.default.svc",
            f"--service-account-key-file={folder}/sa.key", f"--service-account-signing-key-file={folder}/sa.key",
            "--disable-admission-plugins=ServiceAccount")
        for _ in range(600):
            try:
                if self.call("GET", "/readyz")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.1)
        sys.exit("the API server is not ready after 60 s")

    def start(self, *command):
        log = open(self.folder / f"{pathlib.Path(command[0]).name}.log", "w")
        self.processes.append(subprocess.Popen(command, stdout=log, stderr=log))

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
            process.wait()

    def call(self, verb, path, body=None, connection=None):
        if connection is None:
            connection = self.connection()
        headers = {"Authorization": "Bearer admintoken", "Content-Type": "application/json"}
        connection.request(verb, path, body and json.dumps(body), headers)
        response = connection.getresponse()
        return response.status, response.read()

    def connection(self):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return http.client.HTTPSConnection("127.0.0.1", self.port, context=context)

    def kubeconfig(self, port):
        path = self.folder / "kubeconfig"
        path.write_text(json.dumps({
            "current-context": "bench",
            "contexts": [{"name": "bench", "context": {"cluster": "bench", "user": "bench"}}],
            "clusters": [{"name": "bench", "cluster": {
                "server": f"https://127.0.0.1:{port}",
                "certificate-authority": f"{self.folder}/pki/apiserver.crt"}}],
            "users": [{"name": "bench", "user": {"token": "admintoken"}}]}))
        return path


class Relay:
    """Passes bytes on and counts those that the server sends."""

    def __init__(self, target):
        self.target, self.read, self.port = target, 0, free_port()
        ready = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self.serve(ready)), daemon=True).start()
        ready.wait()

    async def serve(self, ready):
        server = await asyncio.start_server(self.join, "127.0.0.1", self.port)
        ready.set()
        await server.serve_forever()

    async def join(self, reader, writer):
        upstream_reader, upstream_writer = await asyncio.open_connection("127.0.0.1", self.target)
        await asyncio.gather(self.copy(reader, upstream_writer, False), self.copy(upstream_reader, writer, True))

    async def copy(self, source, sink, counts):
        try:
            while data := await source.read(1 << 18):
                if counts:
                    self.read += len(data)
                sink.write(data)
                await sink.drain()
        except OSError:
            pass
        sink.close()


def release(number, revision, dice):
    namespace, name = f"team-{number % 50:02}", f"app-{number:03}"
    is_last = revision == REVISIONS
    status = "superseded" if not is_last else "failed" if number < FAILED else "deployed"
    if number < FAILED and revision == REVISIONS - 1:
        status = "deployed"
    filler = base64.b64encode(dice.randbytes(PAYLOAD * 9 // 16)).decode()
    stamp = f"2026-11-{revision:02}T10:00:00.000000000Z"
    description = REASON.format(name=name, namespace=namespace) if status == "failed" else "Upgrade complete"
    payload = {
        "name": name,
        "info": {"first_deployed": stamp, "last_deployed": stamp, "deleted": "", "description": description,
                 "status": status},
        "chart": {"metadata": {"name": "app", "version": f"1.0.{revision}", "apiVersion": "v2"},
                  "templates": [{"name": "templates/filler.yaml", "data": filler}], "values": {}},
        "manifest": "---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: " + name
                    + "\nspec:\n  replicas: 2\n",
        "version": revision, "namespace": namespace, "apply_method": "ssa"}
    packed = base64.b64encode(gzip.compress(json.dumps(payload).encode(), 9))
    return namespace, {
        "apiVersion": "v1", "kind": "Secret", "type": "helm.sh/release.v1",
        "metadata": {"name": f"sh.helm.release.v1.{name}.v{revision}", "labels": {
            "owner": "helm", "name": name, "version": str(revision), "status": status}},
        "data": {"release": base64.b64encode(packed).decode()}}


def seed(plane):
    for number in range(50):
        plane.call("POST", "/api/v1/namespaces", {"metadata": {"name": f"team-{number:02}"}})

    def part(start):
        connection, dice = plane.connection(), random.Random(start)
        for number in range(start, RELEASES, 4):
            for revision in range(1, REVISIONS + 1):
                namespace, secret = release(number, revision, dice)
                status, body = plane.call("POST", f"/api/v1/namespaces/{namespace}/secrets", secret, connection)
                if status != 201:
                    sys.exit(f"seeding failed with {status}: {body[:200]}")

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(part, range(4)))


def peak_memory(pid):
    """In MB. A child's ru_maxrss would start at this script's own size."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0)


def measure(relay, command, environment):
    relay.read, output, memory = 0, {}, 0
    start = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    readers = [threading.Thread(target=lambda k=k, f=f: output.update({k: f.read()}))
               for k, f in (("out", process.stdout), ("err", process.stderr))]
    [reader.start() for reader in readers]
    while process.poll() is None:
        memory = max(memory, peak_memory(process.pid))
        time.sleep(0.002)
    wall = time.monotonic() - start
    [reader.join() for reader in readers]
    if process.returncode:
        sys.exit(f"{command[0]} failed: {output['err'].decode()[:500]}")
    return wall, memory, relay.read / 1e6, output["out"]


def main():
    programs = assets()
    here = pathlib.Path(__file__).resolve().parent.parent
    program = sys.argv[1] if len(sys.argv) > 1 else here / "target/release/kubectl-helm_forensics"
    helm = next(path for name in ("helm4", "helm") if (path := programs / name).exists())
    with tempfile.TemporaryDirectory(prefix="helm-forensics-bench-") as folder:
        plane = ControlPlane(programs, pathlib.Path(folder))
        try:
            seed(plane)
            relay = Relay(plane.port)
            environment = {"PATH": os.environ["PATH"], "HOME": folder, "KUBECONFIG": str(plane.kubeconfig(relay.port))}
            sides = {"helm list -A --failed": [helm, "list", "-A", "--failed", "--max", "0"],
                     "why -A -o json": [program, "why", "-A", "-o", "json"]}
            runs = {name: [] for name in sides}
            for _ in range(ROUNDS):
                for name, command in sides.items():
                    runs[name].append(measure(relay, command, environment))
        finally:
            plane.stop()
    for name, measured in runs.items():
        walls = [wall for wall, _, _, _ in measured]
        print(f"{name:24} wall {min(walls):6.2f} s (median {statistics.median(walls):.2f})   "
              f"memory {max(m for _, m, _, _ in measured):7.1f} MB   read {max(r for _, _, r, _ in measured):6.2f} MB")
    ours, theirs = runs["why -A -o json"], runs["helm list -A --failed"]
    findings = json.loads(ours[0][3])["findings"]
    reasons = sum(finding["class"] == "ssa.conflict" for finding in findings)
    ratio = min(wall for wall, *_ in theirs) / min(wall for wall, *_ in ours)
    checks = {
        f"{reasons} of {FAILED} reasons named": reasons == FAILED and len(findings) == FAILED,
        f"helm takes {ratio:.0f} times as long (asked: 30)": ratio >= 30,
        "at most 3 MB read": max(read for _, _, read, _ in ours) <= 3,
        "at most 60 MB of memory": max(memory for _, memory, _, _ in ours) <= 60}
    for check, holds in checks.items():
        print(f"{'ok  ' if holds else 'MISS'} {check}")
    sys.exit(0 if all(checks.values()) else 1)


if __name__ == "__main__":
    main()
