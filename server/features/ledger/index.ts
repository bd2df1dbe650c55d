export { countExportedTasks, countExportedTasksOf, knownIssues } from "./store.ts";
export { exportLedger } from "./tables.ts";
