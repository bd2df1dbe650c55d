import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { open, seal } from "../../../platform/sealing.ts";
import { makeSecret, signingKeys } from "../../../platform/webhook-signature.ts";
import { createKeyRing } from "./attempt.ts";

const key = randomBytes(32);
const sealing = { open: (sealed: Uint8Array, context: string) => open([key], sealed, context) };
let opened = 0;
const counting: typeof sealing = {
  open(...what) {
    opened += 1;
    return sealing.open(...what);
  },
};

test("a secret is decrypted once, each secret of a webhook separately", () => {
  opened = 0;
  const ring = createKeyRing(counting);
  const [first, second] = [makeSecret(), makeSecret()];
  const [sealedFirst, sealedSecond] = [seal(key, first, "whk_a"), seal(key, second, "whk_a")];
  for (let time = 0; time < 3; time++) {
    expect(ring("whk_a", sealedFirst).own.equals(signingKeys(first).own)).toBe(true);
    expect(ring("whk_a", Buffer.from(sealedSecond)).standard.equals(signingKeys(second).standard)).toBe(true);
  }
  expect(opened).toBe(2);
});

test("a decrypted secret is not used for another webhook", () => {
  const ring = createKeyRing(sealing);
  const sealed = seal(key, makeSecret(), "whk_a");
  ring("whk_a", sealed);
  expect(() => ring("whk_b", sealed)).toThrow();
});

test("caches at most the given number; the least recently used one is dropped first", () => {
  const ring = createKeyRing(counting, 2);
  const sealed = ["a", "b", "c"].map((name) => [name, seal(key, makeSecret(), name)] as const);
  const use = (at: number) => ring(...(sealed[at] as readonly [string, Buffer]));
  opened = 0;
  for (const at of [0, 1, 0, 2]) use(at);
  expect(opened).toBe(3);
  use(0);
  expect(opened).toBe(3);
  use(1);
  expect(opened).toBe(4);
});
