export { askWith } from "./check.ts";
export { loseSends } from "./ledger-store.ts";
export type { Trackers } from "./run.ts";
export { exportJobs } from "./run.ts";
export { whenIssuesAreOwned } from "./start.ts";
export { createGithub } from "./trackers/github/index.ts";
export { createJira } from "./trackers/jira/index.ts";
