export { countExportedTasks, countExportedTasksOf, knownIssues, removeLedgerForGood } from "./store.ts";
export { exportLedger } from "./tables.ts";
