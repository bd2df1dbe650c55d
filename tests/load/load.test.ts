import { expect, test } from "vitest";
import { holds } from "../faults/finding.ts";
import { patient } from "../support/patience.ts";
import { tellLoad } from "./story.ts";

/** The short form of `npm run test:load`. */
test("nothing acknowledged is lost, and every event is delivered once, while people edit, review and share on two processes", {
  timeout: patient(300_000),
}, async () => {
  const { findings } = await tellLoad({ users: 10, actionsEach: 15, forMs: 60_000, pauseMs: 20 }, () => {});
  expect(findings.filter((finding) => !holds(finding))).toEqual([]);
});
