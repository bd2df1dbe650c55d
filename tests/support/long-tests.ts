/** Tests of `npm run test:all`: longer proofs, which people do not wait for while they work. */
export const LONG_TESTS: readonly string[] = [
  // Faults, load, and attacks that the proxies of `deploy/` withstand.
  "tests/{faults,load,proxies,monitoring,deploy}/**/*.test.ts",
  // Processes, databases and disks that fail at any moment.
  "**/{crash,killed,outage,full-disk,mail-after-kill,busy-worker,data-directory}.test.ts",
  "server/db/embedded/*.test.ts",
  "server/features/exports/{endings,lost-bulks,writes}.test.ts",
  "server/features/webhooks/delivery/{hostile-owner,fairness}.test.ts",
  "server/features/webhooks/{spread,waiting}.test.ts",
  "server/platform/outbound/hostile.test.ts",
  // Whole programs: their starts, ends and commands.
  "server/main.test.ts",
  "server/commands/{user-add,accept-secrets,backup,people,rotate-key,start-up}.test.ts",
  "tests/journeys/{ci,tour,listen,cli,shared-limits,export-to-trackers,backup}.test.ts",
  "tests/surface/tour/*.test.ts",
  "receiver/{package,libraries}.test.ts",
  "tests/clients/{package,node,chromium}.test.ts",
  // Every look and every way through the web application, beside its main job and typing.
  "tests/web/!(main-job|serving|texts).test.ts",
  // A hundred thousand estimations, backed up under writes and restored.
  "tests/journeys/large-backup.test.ts",
  // LibreOffice, which computes what an exported workbook says, and the schema of Jira's editor.
  "tests/journeys/{workbook,mcp-inspector}.test.ts",
  "domain/exports/jira/editor.property.test.ts",
  // The largest requests, and very many random cases.
  "tests/surface/{uploads,large-trees,large-replays}.test.ts",
  "server/features/{reviews,estimations}/*.property.test.ts",
  "domain/tree/hours/roll-up.draws.test.ts",
  // Every endpoint for every kind of person, in every state and with every kind of bad input; floods of requests; files
  // that a request passes.
  "tests/surface/{access-matrix,loops,states,admission,request-path}.test.ts",
  // Plans of lists over large tables, and many who do the same at once.
  "server/features/*/{plans,*-plans,*-plan}.test.ts",
  "server/features/webhooks/delivery/claim-store.test.ts",
  "server/features/*/{at-once,*-at-once}.test.ts",
  // The pages of the documentation in a browser, and each metric of the real service.
  "tests/surface/{docs-page,metrics}.test.ts",
  // Every error, every example and every limit as the description has them.
  "tests/surface/{errors,published-refusals,examples,endpoint-limits}.test.ts",
  // Whole exports, accounts handed over, streams that go on, and a model's responses.
  "server/features/exports/{exports,watch,start,obsolete,dropped}.test.ts",
  "server/features/admin/hand-over.test.ts",
  "server/features/live/live.test.ts",
  "server/features/suggestions/model/model.test.ts",
  "server/{jobs/worker,platform/log-stream}.test.ts",
  // Responses of all endpoints and all errors, judged by a validator that clients in other languages could use.
  "tests/surface/second-validator.test.ts",
  // Faults planted into endpoints, which the loops must find.
  "tests/surface/planted-faults.test.ts",
];

/** Tests of `npm test` that `npm run test:all` runs again, with all random cases (`tests/support/runs.ts`). */
export const WITH_ALL_CASES: readonly string[] = [
  "domain/versions/diff.property.test.ts",
  "domain/exports/github/{compose,quiet}.property.test.ts",
  "server/features/estimations/team-model.test.ts",
];
