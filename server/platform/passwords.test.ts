import { describe, expect, it } from "vitest";
import { effortOf } from "../../tests/support/effort.ts";
import { createPasswords, currentCost } from "./passwords.ts";
import { createTurns } from "./turns.ts";

const passwords = createPasswords();

describe("hash", () => {
  it("stores Argon2id at the OWASP parameters, with a salt of its own each time (V11.4.2)", async () => {
    const [first, second] = [await passwords.hash("correct horse"), await passwords.hash("correct horse")];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(second).not.toBe(first);
  });
});

describe("verify", () => {
  it("agrees with the reference implementation's test vector", async () => {
    const vector = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
    expect((await passwords.verify("password", vector)).matches).toBe(true);
    expect((await passwords.verify("passwore", vector)).matches).toBe(false);
  });

  it("does not truncate: passwords that differ only in their last character are different (V6.2.8)", async () => {
    const long = `${"ü".repeat(126)}\u0000`;
    const stored = await passwords.hash(`${long}a`);
    expect((await passwords.verify(`${long}a`, stored)).matches).toBe(true);
    expect((await passwords.verify(`${long}b`, stored)).matches).toBe(false);
    expect((await passwords.verify(` ${long}a`, stored)).matches).toBe(false);
    expect((await passwords.verify(`${long}a `, stored)).matches).toBe(false);
    expect((await passwords.verify(long, stored)).matches).toBe(false);
  });

  it("treats equivalent spellings as one password, and compatibility characters as different (V6.2.8)", async () => {
    const stored = await passwords.hash("caf\u00e9 latte");
    expect((await passwords.verify("cafe\u0301 latte", stored)).matches).toBe(true);
    expect((await passwords.verify("cafe latte", stored)).matches).toBe(false);
    const squared = await passwords.hash("mass = 10\u00b2 kg");
    expect((await passwords.verify("mass = 102 kg", squared)).matches).toBe(false);
  });

  it("reports that a matching hash was made at another cost, and still verifies it", async () => {
    const cheap = createPasswords({ cost: { ...currentCost, memoryKib: 64, passes: 1 } });
    const stored = await cheap.hash("correct horse");
    expect(await passwords.verify("correct horse", stored)).toEqual({ matches: true, outdated: true });
    expect(await passwords.verify("wrong horse", stored)).toEqual({ matches: false, outdated: false });
    expect(await cheap.verify("correct horse", stored)).toEqual({ matches: true, outdated: false });
  });

  it("matches nothing if there is no readable hash, and takes as long as with one", async () => {
    const stored = await passwords.hash("correct horse");
    const refused = { matches: false, outdated: false };
    for (const against of [
      stored,
      null,
      "",
      "plain text",
      stored.replace("argon2id", "argon2i"),
      stored.slice(0, 40),
    ]) {
      const { hashes } = await effortOf(undefined, async () =>
        expect(await passwords.verify("wrong horse", against)).toEqual(refused),
      );
      expect(hashes).toBe(1);
    }
  });

  it("asks for admission at its turn, and hashes nothing if that is refused", async () => {
    const takeTurn = createTurns({ atOnce: 1, waitingMax: 10 });
    // A cost that no machine can pay: hashing would fail differently.
    const impossible = createPasswords({ takeTurn, cost: { memoryKib: 2 ** 40, passes: 1, parallelism: 1 } });
    let free = () => {};
    const busy = takeTurn(() => new Promise<void>((resolve) => (free = resolve)));
    let asked = 0;
    const refused = impossible.verify("correct horse", null, async () => {
      asked += 1;
      throw new Error("not admitted");
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toBe(0);
    free();
    await busy;
    await expect(refused).rejects.toThrow("not admitted");
    expect(asked).toBe(1);
  });
});
