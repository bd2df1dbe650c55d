import { contract } from "../../../contract/index.ts";
import type { TreeHours } from "../../../contract/values/tree-hours.ts";
import type { Command, Tools } from "../command.ts";
import { findEstimation, findOption, type Named, namedOptions } from "../find.ts";
import { flagsOf } from "../flags.ts";
import { difference, figure, money } from "../screen/figures.ts";
import { bold, columns, dim } from "../screen/style.ts";
import { cleanAll, cutBegin, left, right } from "../screen/text.ts";

const FIGURES = ["expected", "p50", "p80", "p90", "p95"] as const;

export const hours: Command = {
  takes: "ID",
  summary: "Show the hours with their confidence, and what they would be if other options were chosen",
  says: "Nothing is stored. --select and --deselect take ids, titles or paths of options, separated by commas.",
  calls: ["getTreeHours", "getTree"],
  flags: [
    ...flagsOf(contract.getTreeHours.query, { whatIf: null, select: null, deselect: null, explain: null }),
    {
      name: "what-if",
      field: "whatIf",
      kind: "switch",
      says: "For every option that is not selected: how much it would change",
    },
    { name: "select", field: "select", kind: "list", says: "As if these options were selected" },
    { name: "deselect", field: "deselect", kind: "list", says: "As if these options were not selected" },
  ],
  examples: [
    ["estimate hours 'Web shop'", "percentiles, and hours by role"],
    ["estimate hours 'Web shop' --what-if", "what each other option would change"],
    ["estimate hours 'Web shop' --select PayPal --deselect Invoice", "tries both together"],
  ],
  async run([given = ""], { whatIf, select = [], deselect = [] }, tools) {
    const { client } = tools.connect();
    const params = { id: await findEstimation(client, given) };
    const tries = [select, deselect] as readonly (readonly string[])[];
    const isTrial = tries.some((some) => some.length > 0);
    const options = whatIf || isTrial ? namedOptions((await client.getTree({ params })).data.tree.nodes) : [];
    const [on, off] = tries.map((some) => some.map((name) => findOption(options, name).id).join(","));
    const query = {
      ...(on ? { select: on } : {}),
      ...(off ? { deselect: off } : {}),
      ...(whatIf ? { whatIf: "all" as const } : {}),
    };
    const { data } = await client.getTreeHours({ params, query });
    if (tools.json) return tools.printJson(data);
    const now = isTrial ? (await client.getTreeHours({ params })).data.hours : null;
    const shown = cleanAll(data);
    printTotals(shown.hours, now, tools);
    if (shown.whatIf) printWhatIf(shown.whatIf, cleanAll(options), tools);
    else printRoles(shown.hours, tools);
  },
};

function printTotals(hours: TreeHours, now: TreeHours | null, { print }: Tools): void {
  const { cost } = hours;
  const currency = cost ? `  ${right(cost.currency ?? "", 14)}` : "";
  print(
    bold(`${left("", 10)}${right("hours", 10)}${now ? `${right("now", 10)}${right("changes", 10)}` : ""}${currency}`),
  );
  for (const name of FIGURES) {
    const trial = now ? `${right(figure(now[name]), 10)}${right(difference(hours[name] - now[name]), 10)}` : "";
    const price = cost ? `  ${right(money(cost[name], null), 14)}` : "";
    print(
      `${left(name === "expected" ? name : name.toUpperCase(), 10)}${right(figure(hours[name]), 10)}${trial}${price}`,
    );
  }
}

function printRoles({ byRole }: TreeHours, { print }: Tools): void {
  if (byRole.length < 2) return;
  print("");
  print(bold(`${left("Role", 30)}${right("expected", 10)}${right("P80", 10)}`));
  for (const { role, expected, p80 } of byRole)
    print(`${left(role ?? "none", 30)}${right(figure(expected), 10)}${right(figure(p80), 10)}`);
}

type WhatIf = { readonly optionId: string; readonly expected: number; readonly p50: number; readonly p80: number };

function printWhatIf(all: readonly WhatIf[], options: readonly Named[], { print, note }: Tools): void {
  const rows = all.filter(({ expected, p80 }) => expected !== 0 || p80 !== 0).sort((a, b) => b.p80 - a.p80);
  if (rows.length === 0) {
    note("No other option would change the hours.");
    return;
  }
  const width = Math.max(20, columns() - 3 * 10);
  print("");
  print(bold(`${left("If this were selected", width)}${right("expected", 10)}${right("P50", 10)}${right("P80", 10)}`));
  for (const { optionId, expected, p50, p80 } of rows) {
    const path = options.find(({ id }) => id === optionId)?.path ?? optionId;
    print(
      `${left(cutBegin(path, width - 1), width)}${[expected, p50, p80].map((hours) => right(difference(hours), 10)).join("")}`,
    );
  }
  const same = all.length - rows.length;
  if (same > 0) print(dim(`${same} more would change nothing.`));
}
