import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { start, until } from "../../tests/harness.ts";
import {
  acceptSecrets,
  completeChange,
  findFaultySecrets,
  putInUse,
  readValueInUse,
  type Secret,
} from "./secret-marks.ts";

const app = await start();
const db = app.services.pool;
const now = new Date(0);
const secretOf = (key: Uint8Array, former: Uint8Array | null = null): Secret => ({ key, former });
const secrets = () => ({ ONE: secretOf(randomBytes(32)), TWO: secretOf(randomBytes(32)) });
const both = { ONE: "foreign", TWO: "foreign" };

test("if processes start together with different secrets, all but one are refused", async () => {
  const responses = await Promise.all(Array.from({ length: 8 }, () => findFaultySecrets(db, secrets(), now)));
  const right = responses.filter((foreign) => Object.keys(foreign).length === 0);
  expect(right).toHaveLength(1);
  for (const foreign of responses) expect([{}, both]).toContainEqual(foreign);
});

test("only the secret that differs is named, and accepted secrets are valid from then on", async () => {
  const [before, after] = [secrets(), secrets()];
  await acceptSecrets(db, before, now);
  expect(await findFaultySecrets(db, { ...before, TWO: after.TWO }, now)).toEqual({ TWO: "foreign" });
  await acceptSecrets(db, after, now);
  expect(await findFaultySecrets(db, after, now)).toEqual({});
  expect(await findFaultySecrets(db, before, now)).toEqual(both);
});

test("neither a secret nor anything that two names share is stored", async () => {
  const same = randomBytes(32);
  await acceptSecrets(db, { ONE: secretOf(same), TWO: secretOf(same) }, now);
  const { rows } = await app.pool.query("select name, mark from secret_marks where name in ('ONE', 'TWO')");
  expect(rows).toHaveLength(2);
  expect(rows[0].mark.equals(rows[1].mark)).toBe(false);
  for (const { mark } of rows) expect(mark.equals(same)).toBe(false);
});

test("a change needs both values until it is complete, and refuses any other one all the time", async () => {
  const [former, key, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const faultOf = async (secret: Secret) => (await findFaultySecrets(db, { ONE: secret }, now)).ONE;
  const faults = async () => [
    await faultOf(secretOf(former)),
    await faultOf(secretOf(key, former)),
    await faultOf(secretOf(former, key)),
    await faultOf(secretOf(key)),
    await faultOf(secretOf(key, other)),
    await faultOf(secretOf(other)),
    await faultOf(secretOf(other, former)),
  ];
  await acceptSecrets(db, { ONE: secretOf(former) }, now);
  // Any new value may come beside the one in use.
  expect(await faults()).toEqual([undefined, undefined, undefined, "foreign", "foreign", "foreign", undefined]);
  expect(await readValueInUse(db, "ONE", secretOf(key, former))).toBe(former);

  expect(await putInUse(db, "ONE", secretOf(key), now)).toBe(false);
  expect(await putInUse(db, "ONE", secretOf(key, other), now)).toBe(false);
  expect(await putInUse(db, "ONE", secretOf(key, former), now)).toBe(true);
  expect(await putInUse(db, "ONE", secretOf(key, former), now)).toBe(false);
  const [missing, foreign] = ["former missing", "foreign"];
  expect(await faults()).toEqual([foreign, undefined, undefined, missing, missing, foreign, foreign]);
  expect(await readValueInUse(db, "ONE", secretOf(key, former))).toBe(key);
  await expect(readValueInUse(db, "ONE", secretOf(former))).rejects.toThrow("ONE was changed");

  await completeChange(db, "ONE", secretOf(other));
  expect(await faultOf(secretOf(key))).toBe(missing);
  await completeChange(db, "ONE", secretOf(key));
  expect(await faults()).toEqual([foreign, undefined, undefined, undefined, undefined, foreign, foreign]);
});

test("a new value is put in use once nobody writes with the former one any more", async () => {
  const [former, key] = [randomBytes(32), randomBytes(32)];
  await acceptSecrets(db, { ONE: secretOf(former) }, now);
  const order: string[] = [];
  let changing: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    expect(await readValueInUse(tx, "ONE", secretOf(former), { holding: true })).toBe(former);
    changing = putInUse(db, "ONE", secretOf(key, former), now).then(() => order.push("in use"));
    await until(async () => {
      const { rows } = await app.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    });
    order.push("written");
  });
  await changing;
  expect(order).toEqual(["written", "in use"]);
});
