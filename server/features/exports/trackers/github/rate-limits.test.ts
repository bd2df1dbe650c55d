import { describe, expect, it } from "vitest";
import { OutboundFailure } from "../../../../platform/outbound/index.ts";
import { faultOfFailure } from "../requests.ts";
import { TrackerFault } from "../tracker-fault.ts";
import { limitOf, pauseOf } from "./rate-limits.ts";

const now = new Date("2027-01-31T12:00:00.000Z");
const response = (status: number, headers: Record<string, string> = {}) => ({ status, headers, body: Buffer.alloc(0) });
const limited = (status: number, headers: Record<string, string> = {}, message = "") => {
  const limit = limitOf(response(status, headers), message, now);
  return limit && [(limit.until.getTime() - now.getTime()) / 1_000, limit.grows];
};
const epoch = (seconds: number) => String(now.getTime() / 1_000 + seconds);

describe("a request that a limit refused", () => {
  it("waits for as long as Retry-After says, in seconds or as a date", () => {
    expect(limited(429, { "retry-after": "30" })).toEqual([30, true]);
    expect(limited(403, { "retry-after": "30" })).toEqual([30, true]);
    expect(limited(403, { "retry-after": "Sun, 31 Jan 2027 12:02:00 GMT" })).toEqual([120, true]);
    expect(limited(403, { "retry-after": "0" })).toEqual([1, true]);
    expect(limited(403, { "retry-after": "999999999" })).toEqual([86_400, true]);
  });

  it("waits until the reset when the budget is used up", () => {
    expect(limited(403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": epoch(900) })).toEqual([900, false]);
    expect(limited(429, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": epoch(-5) })).toEqual([1, false]);
  });

  it("counts the reset from the tracker's clock, not from ours", () => {
    const headers = { date: "Sun, 31 Jan 2027 12:10:00 GMT", "x-ratelimit-remaining": "0" };
    expect(limited(403, { ...headers, "x-ratelimit-reset": epoch(900) })).toEqual([300, false]);
  });

  it("waits a minute for a secondary limit without a time, and longer each further time", () => {
    expect(limited(403, {}, "You have exceeded a secondary rate limit. Please wait a few minutes.")).toEqual([
      60,
      true,
    ]);
    expect(limited(403, {}, "You have triggered an abuse detection mechanism.")).toEqual([60, true]);
    expect(limited(429)).toEqual([60, true]);
    expect(limited(429, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "soon" })).toEqual([60, true]);
  });

  it("is distinguished from a refusal for another reason", () => {
    const left = { "x-ratelimit-remaining": "4999", "x-ratelimit-reset": epoch(900) };
    expect(limited(403, left, "Resource not accessible by personal access token")).toBeNull();
    expect(limited(422, { "retry-after": "30" })).toBeNull();
  });
});

it("a response that uses up the budget, or a 503, causes a pause", () => {
  expect(pauseOf(response(201, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": epoch(60) }), now)).toEqual(
    new Date(now.getTime() + 60_000),
  );
  expect(pauseOf(response(503, { "retry-after": "20" }), now)).toEqual(new Date(now.getTime() + 20_000));
  expect(pauseOf(response(201, { "x-ratelimit-remaining": "1", "x-ratelimit-reset": epoch(60) }), now)).toBeNull();
});

it("only a request that never left counts as not sent", () => {
  const kinds = (["dns", "blocked_address", "connection_refused", "certificate"] as const).map(
    (reason) => faultOfFailure(new OutboundFailure(reason)).kind,
  );
  expect(new Set(kinds)).toEqual(new Set(["not_sent"]));
  for (const reason of ["timeout", "connection_failed", "tls", "invalid_response", "aborted"] as const)
    expect(faultOfFailure(new OutboundFailure(reason))).toEqual({ kind: "unknown", reason });
  const fault = new TrackerFault(faultOfFailure(new OutboundFailure("blocked_address")));
  expect(fault.message).toBe("not_sent: no_usable_address");
});
