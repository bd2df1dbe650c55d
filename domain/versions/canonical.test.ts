import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plant } from "../tree/testing/trees.ts";
import { canonicalJson, formerHashedText, hashedText, readSnapshot } from "./canonical.ts";
import type { Snapshot } from "./shape.ts";
import { snapshotPairs } from "./testing/snapshots.ts";

describe("canonical JSON", () => {
  it("is what RFC 8785 shows for its own examples", () => {
    const sample = String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
      "string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`;
    expect(canonicalJson(JSON.parse(sample))).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
    const names = ["\u20ac", "\r", "\ufb33", "1", "\ud83d\ude00", "\u0080", "\u00f6"];
    const sorted = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])));
    expect(Object.keys(JSON.parse(sorted) as object).sort()).toEqual(names.toSorted());
    expect([...sorted.matchAll(/"((?:[^"\\]|\\.)*)":0/g)].map(([, name]) => JSON.parse(`"${name}"`))).toEqual([
      "\r",
      "1",
      "\u0080",
      "\u00f6",
      "\u20ac",
      "\ud83d\ude00",
      "\ufb33",
    ]);
  });

  it.each([
    [-0, "0"],
    [0, "0"],
    [5e-324, "5e-324"],
    [-1.7976931348623157e308, "-1.7976931348623157e+308"],
    [9007199254740992, "9007199254740992"],
    [295147905179352830000, "295147905179352830000"],
    [1e21, "1e+21"],
    [999999999999999900000, "999999999999999900000"],
    [0.000001, "0.000001"],
    [1e-7, "1e-7"],
  ])("writes %d as %s", (value, text) => expect(canonicalJson(value)).toBe(text));

  it("refuses values that JSON cannot represent", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, "\ud800", { "\udc00": 1 }, ["\ud800"]])
      expect(() => canonicalJson(value)).toThrow(RangeError);
  });

  it("does not depend on the order of members, and is the value when it is read", () => {
    const json = fc
      .jsonValue({ maxDepth: 5, stringUnit: "binary" })
      .filter((value) => JSON.stringify(value).isWellFormed());
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(reversed(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });
});

/** The same value with the members of every object the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

const snapshot: Snapshot = {
  title: "Shop",
  description: "",
  assumptions: "",
  clientName: null,
  hourlyRate: 95.5,
  currency: "EUR",
  correlation: 0.2,
  rounding: 0.01,
  timeline: null,
  tree: plant([{ title: "Scope", kind: "group", options: [{ title: "Cart", hours: 8 }] }]),
  milestones: [],
};

describe("the text that is hashed", () => {
  const hash = (of: Snapshot) => createHash("sha256").update(hashedText(of)).digest("hex");

  it("never changes, because stored hashes depend on it", () => {
    expect(hash(snapshot)).toBe("a6c33c7086b4f1a519b41ea0e917a9adaf37fcd824140440aeec82c832d9a2a3");
    const former = formerHashedText(snapshot) ?? "";
    expect(createHash("sha256").update(former).digest("hex")).toBe(
      "9ff858bbce5fb0baddf4e3f65180c986cc427fa8bc11ce65728f098fc5a2074f",
    );
  });

  it("has no form under schema 1 with assumptions; a snapshot of schema 1 is read as one without", () => {
    expect(formerHashedText({ ...snapshot, assumptions: "Two rounds" })).toBe(null);
    const { assumptions: _, ...former } = snapshot;
    expect(readSnapshot(JSON.stringify(former))).toEqual(snapshot);
    expect(readSnapshot(JSON.stringify({ ...former, assumptions: "Two rounds" })).assumptions).toBe("Two rounds");
  });

  it("is the same for the same content, whatever the order of its fields, and only for it", () => {
    expect(hash(reversed(snapshot) as Snapshot)).toBe(hash(snapshot));
    expect(hash({ ...snapshot, correlation: -0 })).toBe(hash({ ...snapshot, correlation: 0 }));
    fc.assert(
      fc.property(snapshotPairs, ([from, to]) => {
        expect(hashedText(from) === hashedText(to)).toBe(JSON.stringify(from) === JSON.stringify(to));
      }),
    );
  });
});
