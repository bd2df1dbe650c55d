export { googleSignInJobs } from "./jobs.ts";
export { googleSignInRoutes } from "./routes.ts";
