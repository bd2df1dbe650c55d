import { expect, test } from "vitest";
import { ApiError } from "../../../contract/client/client-of.ts";
import { startSubmissions } from "./submissions.ts";

const refusal = (status: number, message: string) =>
  new ApiError(status, new Headers(), { success: false, message } as ApiError["body"]);

/** Returns a function that makes a submission with this outcome, and returns its key. */
function submitting(now?: () => number) {
  const submissions = startSubmissions(now);
  const submission = async (outcome: unknown, called = "create", content = "a") => {
    let used = "";
    const sent = submissions.run(called, content, async (key) => {
      used = key;
      if (outcome !== undefined) throw outcome;
    });
    await sent.catch(() => {});
    return used;
  };
  return { submission, forget: submissions.forget };
}

const LOST = new TypeError("Failed to fetch");
const OPEN = [LOST, ...[500, 502, 503].map((status) => refusal(status, "internal_error"))].concat([
  refusal(401, "token_revoked"),
  refusal(429, "rate_limited"),
  refusal(409, "request_under_way"),
]);

test.each(OPEN)("the key stays the same while the outcome is unknown: %s", async (outcome) => {
  const { submission } = submitting();
  const first = await submission(outcome);
  expect(first).toMatch(/^[0-9a-f]{40}$/);
  expect(await submission(outcome)).toBe(first);
  expect(await submission(undefined)).toBe(first);
});

test.each([undefined, refusal(400, "validation_failed"), refusal(409, "outcome_unknown"), refusal(404, "not_found")])(
  "what was decided is another submission the next time: %s",
  async (outcome) => {
    const { submission } = submitting();
    const lost = await submission(LOST);
    expect(await submission(outcome)).toBe(lost);
    expect(await submission(undefined)).not.toBe(lost);
  },
);

test("other content, another endpoint, what follows a deletion, and what comes much later are other submissions", async () => {
  let time = 0;
  const { submission, forget } = submitting(() => time);
  const keys = [await submission(LOST), await submission(LOST, "create", "b"), await submission(LOST, "elsewhere")];
  // The first content again, after another to the same endpoint: it may have been undone meanwhile.
  keys.push(await submission(LOST));
  forget();
  keys.push(await submission(LOST));
  time = 599_999;
  expect(await submission(LOST)).toBe(keys.at(-1));
  time = 600_000;
  keys.push(await submission(LOST));
  expect(new Set(keys).size).toBe(6);
});
