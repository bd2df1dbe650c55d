import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { start } from "../../tests/harness.ts";
import { acceptSecrets, findForeignSecrets } from "./secret-marks.ts";

const app = await start();
const db = app.services.pool;
const now = new Date(0);
const secrets = () => ({ ONE: randomBytes(32), TWO: randomBytes(32) });

test("if processes start together with different secrets, all but one are refused", async () => {
  const responses = await Promise.all(Array.from({ length: 8 }, () => findForeignSecrets(db, secrets(), now)));
  const right = responses.filter((foreign) => foreign.length === 0);
  expect(right).toHaveLength(1);
  for (const foreign of responses) expect([[], ["ONE", "TWO"]]).toContainEqual(foreign);
});

test("only the secret that differs is named, and accepted secrets are valid from then on", async () => {
  const [before, after] = [secrets(), secrets()];
  await acceptSecrets(db, before, now);
  expect(await findForeignSecrets(db, { ...before, TWO: after.TWO }, now)).toEqual(["TWO"]);
  await acceptSecrets(db, after, now);
  expect(await findForeignSecrets(db, after, now)).toEqual([]);
  expect(await findForeignSecrets(db, before, now)).toEqual(["ONE", "TWO"]);
});

test("neither a secret nor anything that two names share is stored", async () => {
  const same = randomBytes(32);
  await acceptSecrets(db, { ONE: same, TWO: same }, now);
  const { rows } = await app.pool.query("select name, mark from secret_marks where name in ('ONE', 'TWO')");
  expect(rows).toHaveLength(2);
  expect(rows[0].mark.equals(rows[1].mark)).toBe(false);
  for (const { mark } of rows) expect(mark.equals(same)).toBe(false);
});
