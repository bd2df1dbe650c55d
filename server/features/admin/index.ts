export { adminJobs } from "./jobs.ts";
export { actMails } from "./mails.ts";
