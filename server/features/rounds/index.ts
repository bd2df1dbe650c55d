export { readAllJudged, readOwnJudged } from "./calibration-store.ts";
export { roundJobs } from "./jobs.ts";
export { roundMails } from "./mails.ts";
export { countWaitingRounds } from "./store.ts";
