import { expect, test } from "vitest";
import { ApiError, ForeignResponse } from "../../../../../contract/client/client-of.ts";
import { failureText, NoResponse } from "../../../api/failure.ts";
import { pauseAfter } from "./pause.ts";

const refusal = (status: number, message: string, headers = {}) =>
  new ApiError(status, new Headers(headers), { success: false, message } as ApiError["body"]);
const foreign = (status: number, headers = {}) => new ForeignResponse(status, new Headers(headers));

test("without a response the pauses double, up to half a minute", () => {
  const pauses = [1, 2, 3, 4, 5, 100].map((times) => pauseAfter(new NoResponse(), times, 1));
  expect(pauses).toEqual([3_000, 6_000, 12_000, 24_000, 30_000, 30_000]);
  expect(pauseAfter(new NoResponse(), 5, 0)).toBe(22_500);
  for (const error of [foreign(502), foreign(504), refusal(503, "service_unavailable")])
    expect(pauseAfter(error, 1, 1)).toBe(3_000);
});

test("too many requests wait for as long as the response says", () => {
  expect(pauseAfter(refusal(429, "rate_limited", { "retry-after": "20" }), 1, 1)).toBe(23_000);
  expect(pauseAfter(foreign(429), 1, 1)).toBe(3_000);
  expect(pauseAfter(foreign(503, { "retry-after": "Sun, 22 Nov 2026 15:00:00 GMT" }), 1, 1)).toBe(3_000);
});

test("a failure that waiting does not help is shown with its reason, for the reader to retry", () => {
  const fault = new TypeError("undefined is not a function");
  for (const error of [
    foreign(413),
    foreign(403),
    refusal(413, "payload_too_large"),
    refusal(500, "internal_error"),
    fault,
  ])
    expect(pauseAfter(error, 1)).toBe(null);
  expect(failureText(foreign(413))).toMatch(/^A proxy .* too large/);
  expect(failureText(foreign(403))).toContain("403");
  expect(failureText(fault)).toBe("Something went wrong. Try again.");
});
