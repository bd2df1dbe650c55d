import { textOf } from "./files.ts";

const ESTIMATIONS = "server/features/estimations";
const GATE = `${ESTIMATIONS}/change-content.ts`;
/** A new estimation has no content before. */
const NEW = `${ESTIMATIONS}/make-estimation.ts`;

/** The functions that store the content of an estimation, or what is derived from it, with the only files that use each. */
export const CONTENT_WRITERS: Readonly<Record<string, readonly string[]>> = {
  saveTree: [GATE, NEW],
  saveTimeline: [GATE, NEW],
  accountTree: [GATE, NEW, `${ESTIMATIONS}/timeline-store.ts`],
  rememberRemoved: [GATE],
  knownIds: [GATE],
  noteStaleness: [GATE],
  // The other changes its deletion.
  updateEstimation: [GATE, `${ESTIMATIONS}/routes.ts`],
};

const TABLES = [...textOf(`${ESTIMATIONS}/tables.ts`).matchAll(/export const (\w+) = pgTable\(\s*"(\w+)"/g)];
/** The tables of estimations as variables, and as the database calls them. */
const VARIABLE = `(?:${TABLES.map(([, variable]) => variable).join("|")})\\b`;
const NAME = `(?:public\\.)?"?(?:${TABLES.map(([, , name]) => name).join("|")})\\b`;

/** A statement that writes a table of estimations: Drizzle's builder, or text with the table's variable or name. */
export const WRITES_ESTIMATIONS = new RegExp(
  `\\b(?:insert|update|delete)\\(\\s*${VARIABLE}|` +
    `\\b(?:update|(?:insert|merge)\\s+into|delete\\s+from|truncate(?:\\s+table)?)\\s+(?:only\\s+)?(?:\\$\\{${VARIABLE}|${NAME})`,
  "i",
);
