import { expect, test } from "vitest";
import { ApiError } from "../../../contract/client-of.ts";
import { startAttempts } from "./attempts.ts";

const refusal = (status: number, message: string) =>
  new ApiError(status, new Headers(), { success: false, message } as ApiError["body"]);

/** Returns a function that makes an attempt with this outcome, and returns its key. */
function attempting(now?: () => number) {
  const attempts = startAttempts(now);
  const attempt = async (outcome: unknown, place = "create", content = "a") => {
    let used = "";
    const sent = attempts.run(place, content, async (key) => {
      used = key;
      if (outcome !== undefined) throw outcome;
    });
    await sent.catch(() => {});
    return used;
  };
  return { attempt, forget: attempts.forget };
}

const LOST = new TypeError("Failed to fetch");
const OPEN = [LOST, ...[500, 502, 503].map((status) => refusal(status, "internal_error"))].concat([
  refusal(401, "token_revoked"),
  refusal(429, "rate_limited"),
  refusal(409, "request_under_way"),
]);

test.each(OPEN)("the key stays where nobody knows whether it was done: %s", async (outcome) => {
  const { attempt } = attempting();
  const first = await attempt(outcome);
  expect(first).toMatch(/^[0-9a-f]{40}$/);
  expect(await attempt(outcome)).toBe(first);
  expect(await attempt(undefined)).toBe(first);
});

test.each([undefined, refusal(400, "validation_failed"), refusal(409, "outcome_unknown"), refusal(404, "not_found")])(
  "what was decided is another attempt the next time: %s",
  async (outcome) => {
    const { attempt } = attempting();
    const lost = await attempt(LOST);
    expect(await attempt(outcome)).toBe(lost);
    expect(await attempt(undefined)).not.toBe(lost);
  },
);

test("other content, another place, what follows a deletion, and what comes much later are other attempts", async () => {
  let time = 0;
  const { attempt, forget } = attempting(() => time);
  const keys = [await attempt(LOST), await attempt(LOST, "create", "b"), await attempt(LOST, "elsewhere")];
  // The first content again, after another at the same place: it may have been undone meanwhile.
  keys.push(await attempt(LOST));
  forget();
  keys.push(await attempt(LOST));
  time = 599_999;
  expect(await attempt(LOST)).toBe(keys.at(-1));
  time = 600_000;
  keys.push(await attempt(LOST));
  expect(new Set(keys).size).toBe(6);
});
