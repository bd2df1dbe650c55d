import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createFakeClock } from "../../tests/fake-clock.ts";
import { createIds, isWellFormedId } from "./ids.ts";
import { createOwnedIds } from "./owned-ids.ts";

const ids = createIds(createFakeClock());
const [one, other] = [ids.next("estimation"), ids.next("estimation")];
const key = randomBytes(32);
const ownedBy = createOwnedIds(key, ids);

test("ids are different, well formed, in order, and recognised only for their owner", () => {
  const made = Array.from({ length: 5_000 }, (_, n) => ownedBy(one).next(n % 2 ? "node" : "option"));
  expect(new Set(made).size).toBe(made.length);
  for (const id of made) expect([isWellFormedId(id), ownedBy(one).isOwn(id)]).toEqual([true, true]);
  expect(made.filter((id) => ownedBy(other).isOwn(id))).toEqual([]);
  const tails = made.map((id) => id.slice(4));
  expect([...tails].sort()).toEqual(tails);
});

test("an id with a character changed, of another kind, under another key, or made elsewhere is not recognised", () => {
  const id = ownedBy(one).next("option");
  const changed = Array.from({ length: 26 }, (_, n) => {
    const at = 4 + n;
    return `${id.slice(0, at)}${id[at] === "7" ? "6" : "7"}${id.slice(at + 1)}`;
  });
  const others = [...changed, id.replace("opt_", "nod_"), ids.next("option"), "", "opt_", "é".repeat(30), `${id}0`];
  expect(others.filter((text) => ownedBy(one).isOwn(text))).toEqual([]);
  expect(createOwnedIds(randomBytes(32), ids)(one).isOwn(id)).toBe(false);
  expect(createOwnedIds(key, ids)(one).isOwn(id)).toBe(true);
});
