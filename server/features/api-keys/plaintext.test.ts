import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashOf, isWellFormedKey, makePlaintext, traceOf } from "./plaintext.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** CRC-32 bit by bit, as ISO 3309 defines it. */
function crc32(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return (rest ^ 0xffffffff) >>> 0;
}

describe("makePlaintext", () => {
  it("makes svc_live_ and 44 characters of base64url: 29 random bytes and their CRC-32, big-endian", () => {
    const seen = new Set<string>();
    for (let round = 0; round < 500; round += 1) {
      const plaintext = makePlaintext();
      expect(plaintext).toMatch(/^svc_live_[A-Za-z0-9_-]{44}$/);
      const body = Buffer.from(plaintext.slice(9), "base64url");
      expect(body).toHaveLength(33);
      expect(body.readUInt32BE(29)).toBe(crc32(body.subarray(0, 29)));
      expect(isWellFormedKey(plaintext)).toBe(true);
      seen.add(plaintext);
    }
    expect(seen.size).toBe(500);
  });
});

describe("isWellFormedKey", () => {
  it("finds every mistyped character, at every place", () => {
    const plaintext = makePlaintext();
    for (let at = 9; at < plaintext.length; at += 1) {
      for (const character of ALPHABET) {
        const typed = plaintext.slice(0, at) + character + plaintext.slice(at + 1);
        expect(isWellFormedKey(typed), typed).toBe(typed === plaintext);
      }
    }
  });

  it("refuses another length, another alphabet, and anything around the key", () => {
    const plaintext = makePlaintext();
    const oddities = [
      "",
      "svc_live_",
      plaintext.slice(0, -1),
      `${plaintext}A`,
      `${plaintext}=`,
      `${plaintext}\n`,
      ` ${plaintext}`,
      plaintext.toUpperCase(),
      plaintext.replace("svc_live_", "svc_test_"),
      plaintext.slice(9),
      `svc_live_${"+".repeat(44)}`,
      `svc_live_${"é".repeat(44)}`,
    ];
    for (const text of oddities) expect(isWellFormedKey(text), text).toBe(false);
    fc.assert(fc.property(fc.string({ unit: "binary" }), (body) => !isWellFormedKey(`svc_live_${body}`)));
  });
});

describe("traceOf", () => {
  it("keeps the first 12 characters and the SHA-256 of the whole plaintext", () => {
    const { prefix, hash } = traceOf("svc_live_abcdef");
    expect(prefix).toBe("svc_live_abc");
    expect(hash).toEqual(hashOf("svc_live_abcdef"));
    expect(hashOf("abc").toString("hex")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});
