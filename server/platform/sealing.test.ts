import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { open, seal } from "./sealing.ts";

const key = randomBytes(32);

test("sealed text can be opened again, and every sealing of it differs", () => {
  const [one, two] = [seal(key, "whsec_ü😀", "wh_1"), seal(key, "whsec_ü😀", "wh_1")];
  expect([open([key], one, "wh_1"), open([key], two, "wh_1")]).toEqual(["whsec_ü😀", "whsec_ü😀"]);
  expect(one.equals(two)).toBe(false);
  expect(one.includes("whsec")).toBe(false);
});

test("another record, another key or any changed byte prevents opening (V13.3.1)", () => {
  const sealed = seal(key, "secret", "wh_1");
  expect(() => open([key], sealed, "wh_2")).toThrow();
  expect(() => open([randomBytes(32)], sealed, "wh_1")).toThrow();
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(() => open([key], changed, "wh_1")).toThrow();
  }
  expect(() => open([key], sealed.subarray(0, 20), "wh_1")).toThrow();
});

test("what another of several keys has sealed can be opened, and what none has sealed cannot", () => {
  const keys = [randomBytes(32), randomBytes(32)];
  for (const one of keys) expect(open(keys, seal(one, "secret", "wh_1"), "wh_1")).toBe("secret");
  expect(() => open(keys, seal(key, "secret", "wh_1"), "wh_1")).toThrow();
  expect(() => open([], seal(key, "secret", "wh_1"), "wh_1")).toThrow();
});
