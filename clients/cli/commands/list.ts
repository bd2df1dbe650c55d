import { contract } from "../../../contract/index.ts";
import type { Command } from "../command.ts";
import { flagsOf, only } from "../flags.ts";
import { readAll } from "../pages.ts";
import { figure } from "../screen/figures.ts";
import { bold, columns, dim } from "../screen/style.ts";
import { cleanAll, left, right } from "../screen/text.ts";

const filters = flagsOf(contract.listEstimations.query, { limit: null, cursor: null });
const DEFAULT_ROWS = 50;

/** The states, as short as a column needs them. */
export const STATES = {
  draft: "draft",
  submitted: "submitted",
  tasks_generated: "tasks",
  exported: "exported",
} as const;

export const list: Command = {
  takes: "",
  summary: "List the estimations that you may read",
  calls: ["listEstimations"],
  flags: [
    ...filters,
    { name: "limit", field: "limit", kind: "number", says: `How many at most; ${DEFAULT_ROWS} by default` },
  ],
  examples: [
    ["estimate list", "the latest changed first"],
    ["estimate list --q shop --status draft,submitted", "filters"],
    ["estimate list --json | jq -r '.estimations[].id'", "ids for a script"],
  ],
  async run(_words, given, { connect, json, print, printJson, note }) {
    const { client } = connect();
    const most = Math.max(1, Math.floor(Number(given.limit ?? DEFAULT_ROWS)));
    const query = only(given, filters);
    const data = await readAll("estimations", (page) => client.listEstimations({ query: { ...query, ...page } }), most);
    if (json) return printJson(data);
    const { estimations } = cleanAll(data);
    if (estimations.length === 0) return note("No estimations.");
    const id = estimations[0]?.id.length ?? 0;
    const title = Math.max(10, columns() - id - 9 - 9 - 6);
    print(bold(`${left("Id", id)}  ${left("Title", title)}  ${right("P80 hours", 9)}  State`));
    for (const one of estimations) {
      const status = one.isExample ? "example" : STATES[one.status];
      print(`${dim(one.id)}  ${left(one.title, title)}  ${right(figure(one.hours.p80), 9)}  ${status}`);
    }
    if (data.nextCursor !== null) note(`There are more: --limit ${most * 2}`);
  },
};
