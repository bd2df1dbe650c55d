import { expect, test } from "vitest";
import { stateOf } from "./webhook-state.ts";

test("a webhook is paused by its owner, or stopped by the service", () => {
  const health = {
    lastSuccessAt: null,
    failuresInARow: 0,
    failingSince: null,
    nextAttemptAt: null,
    deactivatedAt: null,
  };
  const failing = { ...health, failuresInARow: 2, failingSince: "2026-03-01T11:59:00.000Z" };
  expect(stateOf({ active: true, health })).toBe("active");
  expect(stateOf({ active: true, health: failing })).toBe("failing");
  expect(stateOf({ active: false, health: failing })).toBe("paused");
  expect(stateOf({ active: false, health: { ...failing, deactivatedAt: "2026-03-01T12:00:00.000Z" } })).toBe("stopped");
});
