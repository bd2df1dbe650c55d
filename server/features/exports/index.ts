export { checkWith } from "./check.ts";
export { exportJobs } from "./jobs.ts";
export { exportRoutes } from "./routes.ts";
export type { Trackers } from "./run.ts";
export { removeExportsForGood } from "./store.ts";
export { createGithub } from "./trackers/github/index.ts";
