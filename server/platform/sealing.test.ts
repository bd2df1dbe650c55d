import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSealing } from "./sealing.ts";

const sealing = createSealing(randomBytes(32));

test("sealed text can be opened again, and every sealing of it differs", () => {
  const [one, two] = [sealing.seal("whsec_ü😀", "wh_1"), sealing.seal("whsec_ü😀", "wh_1")];
  expect([sealing.open(one, "wh_1"), sealing.open(two, "wh_1")]).toEqual(["whsec_ü😀", "whsec_ü😀"]);
  expect(one.equals(two)).toBe(false);
  expect(one.includes("whsec")).toBe(false);
});

test("another record, another key or any changed byte prevents opening (V13.3.1)", () => {
  const sealed = sealing.seal("secret", "wh_1");
  expect(() => sealing.open(sealed, "wh_2")).toThrow();
  expect(() => createSealing(randomBytes(32)).open(sealed, "wh_1")).toThrow();
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(() => sealing.open(changed, "wh_1")).toThrow();
  }
  expect(() => sealing.open(sealed.subarray(0, 20), "wh_1")).toThrow();
});
