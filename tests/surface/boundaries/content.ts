const ESTIMATIONS = "server/features/estimations";
const GATE = `${ESTIMATIONS}/change-content.ts`;
/** A new estimation has no content before. */
const NEW = `${ESTIMATIONS}/make-estimation.ts`;

/** The functions that store the content of an estimation, or what is derived from it, with the only files that use each. */
export const CONTENT_WRITERS: Readonly<Record<string, readonly string[]>> = {
  saveTree: [GATE, NEW],
  saveTimeline: [GATE, NEW],
  accountTree: [GATE, NEW],
  rememberRemoved: [GATE],
  knownIds: [GATE],
  noteStaleness: [GATE],
  // The others change its state, its deletion, hours of an older computation, and titles that nobody could see.
  updateEstimation: [
    GATE,
    `${ESTIMATIONS}/name-invisible.ts`,
    `${ESTIMATIONS}/recompute-hours.ts`,
    `${ESTIMATIONS}/routes.ts`,
    `${ESTIMATIONS}/set-status.ts`,
  ],
};

const TABLE = "(?:estimations|estimationReaders|reviewedContents)\\b";

/** A statement that writes a table of estimations. Features see only these; the others are not exported. */
export const WRITES_ESTIMATIONS = new RegExp(
  `(?:insert|update|delete)\\(\\s*${TABLE}|(?:update|insert into|delete from)\\s+\\$\\{${TABLE}`,
);
