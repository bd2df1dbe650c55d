import { expect, test } from "vitest";
import { codingFor } from "./compress.ts";

test.each([
  [undefined, null],
  ["", null],
  ["identity", null],
  ["deflate, zstd", null],
  ["gzip", "gzip"],
  ["gzip, deflate, br, zstd", "gzip"],
  ["GZIP;q=0.8", "gzip"],
  ["br;q=0.5, gzip;q=0.6", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["*", "gzip"],
  ["gzip;q=0, *", "br"],
  ["*;q=0", null],
  ["br;q=0, *", "gzip"],
  ["gzip;q=0, *;q=0", null],
  ["identity;q=1, gzip;q=0.5", null],
  ["identity;q=0, gzip;q=0.1", "gzip"],
  ["gzip;q=x", null],
  ["gzip;level=1;q=1", "gzip"],
] as const)("Accept-Encoding %j chooses %j", (header, coding) => {
  expect(codingFor(header)).toBe(coding);
});
