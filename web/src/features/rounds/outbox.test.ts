import { expect, test } from "vitest";
import { ApiError } from "../../../../contract/client/client-of.ts";
import { NoResponse } from "../../api/failure.ts";
import { type Given, Outbox } from "./outbox.ts";

const given = (optionId: string, likely: number | null = 8): Given => ({
  optionId,
  hours: likely === null ? null : { optimistic: 4, likely, pessimistic: 20 },
  note: null,
});

const failure = (status: number, message = "x", headers = {}) =>
  new ApiError(status, new Headers(headers), { message } as ApiError["body"]);

/** An outbox, what the browser keeps, what it has sent, and how the next requests end. */
function setUp(kept = new Map<string, string>()) {
  const sent: string[][] = [];
  const waits: { ms: number; run: () => void }[] = [];
  const world = {
    kept,
    canStore: true,
    fails: (_: readonly Given[]): Error | undefined => undefined,
    hold: undefined as Promise<void> | undefined,
  };
  const outbox = new Outbox(
    {
      read: () => [...kept.values()],
      write(optionId, text) {
        if (text === "") kept.delete(optionId);
        else if (world.canStore) kept.set(optionId, text);
        return text === "" || world.canStore;
      },
    },
    async (all) => {
      sent.push(all.map(({ optionId, hours }) => `${optionId} ${hours?.likely ?? "?"}`));
      await world.hold;
      const error = world.fails(all);
      if (error) throw error;
    },
    (ms, run) => void waits.push({ ms, run }),
  );
  const settled = async () => {
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  };
  /** How it stands, with the options that are not sent and those that were refused. */
  const now = () => {
    const { at, unsent, refused } = outbox.current();
    return [at, [...unsent.keys()].join(""), [...refused.keys()].join("")];
  };
  return { outbox, sent, waits, world, settled, now };
}

test("an answer is sent at once, and kept until it is there", async () => {
  const { outbox, sent, world, settled, now } = setUp();
  outbox.put(given("a"));
  expect([...world.kept.keys()]).toEqual(["a"]);
  await settled();
  expect([sent, world.kept.size, now()]).toEqual([[["a 8"]], 0, ["idle", "", ""]]);
});

test("what is said while a request is under way follows in one more, the last word of each option", async () => {
  const { outbox, sent, world, settled } = setUp();
  let release = () => {};
  world.hold = new Promise((done) => {
    release = done;
  });
  outbox.put(given("a"));
  for (const next of [given("a", 9), given("b"), given("c", null)]) outbox.put(next);
  release();
  await settled();
  expect(sent[0]).toEqual(["a 8"]);
  expect(sent[1]?.toSorted()).toEqual(["a 9", "b 8", "c ?"]);
  expect([sent.length, world.kept.size]).toEqual([2, 0]);
});

test("without a connection everything is kept, also over a reload, and sent later", async () => {
  const { outbox, world, waits, settled, now } = setUp();
  world.fails = () => new NoResponse("no response");
  outbox.put(given("a"));
  await settled();
  outbox.put(given("b"));
  await settled();
  expect(now()).toEqual(["waiting", "ab", ""]);
  const later = setUp(new Map(world.kept));
  await later.outbox.flush();
  expect([later.sent, later.world.kept.size]).toEqual([[["a 8", "b 8"]], 0]);
  world.fails = () => undefined;
  waits.at(-1)?.run();
  await settled();
  expect(now()).toEqual(["idle", "", ""]);
});

test.each([
  ["too many requests", failure(429, "rate_limited", { "retry-after": "60" }), 60_000],
  ["a failure of the service", failure(500), 30_000],
  ["the end of the session", failure(401), 30_000],
])("%s refuses nothing: it is sent again, and not before its time", async (_, error, ms) => {
  const { outbox, world, waits, settled, sent, now } = setUp();
  world.fails = () => error;
  outbox.put(given("a"));
  await settled();
  outbox.put(given("b"));
  await settled();
  expect([now(), sent.length, world.kept.size, waits.length]).toEqual([["waiting", "ab", ""], 1, 2, 1]);
  expect(waits[0]?.ms).toBeGreaterThanOrEqual(ms);
  world.fails = () => undefined;
  waits[0]?.run();
  await settled();
  expect([now(), world.kept.size]).toEqual([["idle", "", ""], 0]);
});

test.each([400, 409])("an answer that is refused (%s) holds back no other, now or later", async (status) => {
  const { outbox, world, waits, settled, sent, now } = setUp();
  const refusal = failure(status, "limit_reached");
  let isThere = false;
  world.fails = (all) =>
    isThere ? (all.some(({ optionId }) => optionId === "b") ? refusal : undefined) : new NoResponse("no response");
  for (const id of ["a", "b", "c"]) outbox.put(given(id));
  await settled();
  isThere = true;
  await outbox.flush();
  expect([now(), outbox.current().refused.get("b")?.error]).toEqual([["idle", "b", "b"], refusal]);
  const before = sent.length;
  outbox.put(given("d"));
  await settled();
  expect([sent.slice(before), now()]).toEqual([[["d 8"]], ["idle", "b", "b"]]);
  // Another answer for it is tried.
  world.fails = () => undefined;
  outbox.put(given("b", 9));
  await settled();
  expect([sent.at(-1), now(), world.kept.size, waits.length]).toEqual([["b 9"], ["idle", "", ""], 0, 1]);
});

test("after the reveal all is refused with one request, and stays until it is given up", async () => {
  const { outbox, world, settled, sent, now } = setUp();
  world.fails = () => new NoResponse("no response");
  for (const id of ["a", "b"]) outbox.put(given(id));
  await settled();
  world.fails = () => failure(409, "round_not_open");
  const before = sent.length;
  await outbox.flush();
  expect([now(), sent.length - before]).toEqual([["idle", "ab", "ab"], 1]);
  outbox.drop();
  expect([now(), world.kept.size]).toEqual([["idle", "", ""], 0]);
});

test("of two tabs the later answer counts, and what one has sent the other does not send again", async () => {
  const one = setUp();
  const other = setUp(one.world.kept);
  one.world.fails = () => new NoResponse("no response");
  for (const id of ["a", "b"]) one.outbox.put(given(id));
  await one.settled();
  // Neither removes what the other keeps.
  other.outbox.put(given("a", 9));
  expect(one.world.kept.size).toBe(2);
  await other.settled();
  one.world.fails = () => undefined;
  one.outbox.put(given("c"));
  one.waits.at(-1)?.run();
  await one.settled();
  expect(other.sent.flat().toSorted()).toEqual(["a 9", "b 8"]);
  expect([one.sent.slice(1), one.now()]).toEqual([[["c 8"]], ["idle", "", ""]]);
});

test("an answer that could not be stored is sent all the same, and the page is not left unasked before", async () => {
  const { outbox, world, settled, now } = setUp();
  world.canStore = false;
  world.fails = () => new NoResponse("no response");
  outbox.put(given("a"));
  await settled();
  expect([now(), outbox.isAtRisk()]).toEqual([["waiting", "a", ""], true]);
  world.fails = () => undefined;
  await outbox.flush();
  expect([now(), outbox.isAtRisk()]).toEqual([["idle", "", ""], false]);
});

test("what is stored and cannot be read is no answer", () => {
  expect(setUp(new Map([["a", "{"]])).outbox.current().unsent.size).toBe(0);
});
