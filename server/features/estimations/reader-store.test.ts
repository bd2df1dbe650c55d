import { expect, test } from "vitest";
import { accessLevels } from "../../../contract/rights.ts";
import { start } from "../../../tests/harness.ts";
import { addShared, setReader } from "./reader-store.ts";

const app = await start();
const { pool } = app.services;
const [owner, other] = [await app.signUp(), await app.signUp()];
const { data } = await app.request("POST", "/api/estimations", { token: owner.token, body: { title: "Shop" } });
const estimationId = String(data.estimation?.id);
const { userId } = other;
const reader = { estimationId, userId };

const accessOf = async ({ token }: typeof owner) =>
  (await app.request("GET", `/api/estimations/${estimationId}`, { token })).data.estimation?.access;

const levels = [null, "viewer", "editor"] as const;
const sources = [false, true].flatMap((owns) =>
  [false, true].flatMap((reviews) => levels.map((shared) => ({ owns, shared, reviews }))),
);

test("the level is the highest that any source gives, and ends with the last source", async () => {
  for (const one of sources) {
    await setReader(pool, reader, one);
    const given = [one.owns && "owner", one.shared, one.reviews && "reviewer"];
    expect(await accessOf(other), JSON.stringify(one)).toBe(accessLevels.find((level) => given.includes(level)));
  }
});

test("removing one source does not affect the others", async () => {
  await setReader(pool, reader, { owns: false, shared: "editor", reviews: true });
  await setReader(pool, reader, { shared: null });
  expect(await accessOf(other)).toBe("reviewer");
  await addShared(pool, userId, [{ estimationId, level: "viewer" }]);
  await setReader(pool, reader, { reviews: false });
  expect(await accessOf(other)).toBe("viewer");
  await setReader(pool, reader, { shared: null });
  expect(await accessOf(other)).toBeUndefined();
  await setReader(pool, reader, { shared: null });
  expect(await accessOf(owner)).toBe("owner");
});
