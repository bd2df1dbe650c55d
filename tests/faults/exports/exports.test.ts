import { describe, test } from "vitest";
import { patient } from "../../support/patience.ts";
import { seed } from "../../support/seed.ts";
import { holds } from "../finding.ts";
import { tellExportStory } from "./story.ts";

/** The short form; `npm run test:faults` tells a longer one. Both wait most of the time, for settle times and leases. */
describe.concurrent.each(["github", "jira"] as const)("exports to %s", (target) => {
  const disasters = { kill: 1, crash: 1, pause: 0 };
  const size = { seed, rounds: 1, groups: 2, faulty: 0.25, disasters, strikes: "shown_late" } as const;

  test("make exactly one issue of every task, as the ledger records, whatever fails in requests, workers and the database", {
    timeout: patient(900_000),
  }, async ({ expect }) => {
    const findings = await tellExportStory(target, size);
    expect(
      findings.filter((finding) => !holds(finding)),
      `with the seed ${seed}`,
    ).toEqual([]);
  });
});
