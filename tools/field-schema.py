#!/usr/bin/env python3
"""Writes src/fields/schema.txt: which lists and maps of the built-in kinds merge field by field.

    go mod download k8s.io/kubernetes@v1.37.2
    tools/field-schema.py $(go env GOMODCACHE)/k8s.io/kubernetes@v1.37.2/api/openapi-spec/v3 > src/fields/schema.txt

The API server builds its own table from the same OpenAPI documents (kube-openapi, schemaconv). Only what
differs from the default (structs merge, lists are atomic, all else is a leaf) is written.
"""

import json
import pathlib
import re
import sys

QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity"
RAW = "io.k8s.apimachinery.pkg.runtime.RawExtension"
PREFIXES = ("io.k8s.api.", "io.k8s.apimachinery.pkg.apis.", "io.k8s.")


def load(folder):
    schemas = {}
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        document = json.loads(path.read_text())
        schemas.update(document.get("components", {}).get("schemas", {}))
    return schemas


def short(name):
    for prefix in PREFIXES:
        if name.startswith(prefix):
            return name[len(prefix):]
    return name


def reference(schema):
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[1]
    parts = schema.get("allOf", [])
    return parts[0]["$ref"].rsplit("/", 1)[1] if len(parts) == 1 and "$ref" in parts[0] else None


class Table:
    def __init__(self, schemas):
        self.schemas = schemas
        self.plain = set()

    def use(self, schema):
        """The notation of a use of a type; '' where the default holds."""
        name = reference(schema)
        override = schema.get("x-kubernetes-map-type")
        if name is None:
            return self.notation(schema)
        if override == "atomic":
            return "!"
        if override == "granular" and self.schemas[name].get("x-kubernetes-map-type") == "atomic":
            return self.notation({**self.schemas[name], "x-kubernetes-map-type": "granular"})
        return self.named(name)

    def named(self, name):
        if name == QUANTITY:
            return "q"
        if name == RAW:
            return "!"
        schema = self.schemas[name]
        if self.is_struct(schema):
            return "" if name in self.plain else "#" + short(name)
        return self.notation(schema)

    @staticmethod
    def is_struct(schema):
        return "properties" in schema and schema.get("x-kubernetes-map-type") != "atomic"

    def notation(self, schema):
        kind = schema.get("type", "")
        if schema.get("format") == "int-or-string":
            return "i"
        if kind == "array":
            return self.array(schema)
        if kind == "object" or "properties" in schema:
            if schema.get("x-kubernetes-map-type") == "atomic":
                return "!"
            if "properties" in schema:
                return ""
            values = schema.get("additionalProperties")
            return "*" + self.use(values) if isinstance(values, dict) else "?"
        return "?" if kind == "" and "oneOf" not in schema else ""

    def array(self, schema):
        kind = schema.get("x-kubernetes-list-type")
        if kind is None and "merge" in schema.get("x-kubernetes-patch-strategy", ""):
            key = schema.get("x-kubernetes-patch-merge-key")
            schema = {**schema, "x-kubernetes-list-map-keys": [key]}
            kind = "map" if key else "set"
        if kind == "map":
            keys = schema["x-kubernetes-list-map-keys"]
            return "[" + ",".join(self.key(key, schema["items"]) for key in keys) + "]" + self.use(schema["items"])
        return "[]" if kind == "set" else ""

    def key(self, name, items):
        struct = self.schemas[reference(items)] if reference(items) else items
        field = struct.get("properties", {}).get(name, {})
        return name + "=" + json.dumps(field["default"]) if "default" in field else name

    def fields(self, name):
        properties = self.schemas[name].get("properties", {})
        uses = {field: self.use(schema) for field, schema in properties.items()}
        return {field: use for field, use in sorted(uses.items()) if use}

    def find_plain(self):
        """Structs that hold nothing but defaults, however deep."""
        self.plain = {name for name, schema in self.schemas.items() if self.is_struct(schema)}
        while True:
            special = {name for name in self.plain if self.fields(name)}
            if not special:
                return
            self.plain -= special


def main():
    schemas = load(sys.argv[1])
    version = re.search(r"kubernetes@v([0-9.]+)", str(pathlib.Path(sys.argv[1]).resolve())).group(1)
    table = Table(schemas)
    table.find_plain()
    roots, lines, queue, seen = [], [], [], set()
    for name, schema in schemas.items():
        for kind in schema.get("x-kubernetes-group-version-kind", []):
            top = schema.get("properties", {})
            if "metadata" not in top or "ListMeta" in str(top["metadata"]) or name in table.plain:
                continue
            api = kind["version"] if kind["group"] == "" else kind["group"] + "/" + kind["version"]
            roots.append((api, kind["kind"], name))
            queue.append(name)
    by_short = {short(name): name for name in schemas}
    while queue:
        name = queue.pop()
        if name in seen:
            continue
        seen.add(name)
        fields = table.fields(name)
        lines.append(" ".join([short(name)] + [f"{field}:{use}" for field, use in fields.items()]))
        queue.extend(by_short[use.split("#")[1]] for use in fields.values() if "#" in use)
    print(f"# Generated by tools/field-schema.py from the OpenAPI documents of Kubernetes {version}. Do not edit.")
    print("# TYPE FIELD:USE...  where USE is #TYPE, *USE (free map), [KEY=DEFAULT,...]USE (keyed list), [] (set),")
    print("# ! (atomic), ? (any JSON: maps merge), q (quantity), i (int or string). Fields that are not named are")
    print("# structs that merge, lists that are atomic, or leaves.")
    for api, kind, name in sorted(roots):
        print(f"@{api} {kind} {short(name)}")
    print("\n".join(sorted(lines)))


main()
