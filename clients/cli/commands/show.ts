import type { Estimation } from "../../../contract/endpoints/estimations.ts";
import type { Problem } from "../../../contract/values/tree.ts";
import type { HoursExplanation, TreeHours } from "../../../contract/values/tree-hours.ts";
import type { Command } from "../command.ts";
import { findEstimation } from "../find.ts";
import { figure, money, percent, share } from "../screen/figures.ts";
import { bold, columns, dim, yellow } from "../screen/style.ts";
import { cleanAll, cut, left, right, widthOf, wrap } from "../screen/text.ts";
import { treeLines } from "../screen/tree-view.ts";
import { STATES } from "./list.ts";

export const show: Command = {
  takes: "ID",
  summary: "Show an estimation: the tree with ranges as bars, totals, and what makes them uncertain",
  says: "● and ■ are selected; ○ and □ are not, and do not count. Numbers are hours with all quantities: optimistic–likely–pessimistic. Σ is what everything below takes on average.",
  calls: ["getEstimation", "getTree", "getTreeHours"],
  flags: [{ name: "ids", field: "ids", kind: "switch", says: "Ids of questions and options in place of the hours" }],
  examples: [
    ["estimate show 'Web shop'", "by its title"],
    ["estimate show est_01k6z0c9v3e8rbt5w2yq4nmhxd --ids", "with ids to copy"],
    ["estimate show 'Web shop' --json | jq .hours.p80", "one figure for a script"],
  ],
  async run([given = ""], { ids }, { connect, json, print, printJson }) {
    const { client } = connect();
    const params = { id: await findEstimation(client, given) };
    const [estimation, tree, hours] = await Promise.all([
      client.getEstimation({ params }),
      client.getTree({ params }),
      client.getTreeHours({ params, query: { explain: true } }),
    ]);
    const data = { ...estimation.data, ...tree.data, ...hours.data };
    if (json) return printJson(data);
    const shown = cleanAll(data);
    const width = columns();
    const lines = [
      ...headOf(shown.estimation, width),
      "",
      ...totalsOf(shown.hours, width),
      "",
      ...treeLines({ nodes: shown.tree.nodes, hours: shown.hours, width, ids: ids === true }),
      ...driversOf(shown.hours, shown.explanation, width),
      ...problemsOf(shown.tree.problems, width),
    ];
    for (const line of lines) print(line);
  },
};

function headOf({ id, title, clientName, hourlyRate, currency, status, revision, tags }: Estimation, width: number) {
  const state = `${STATES[status]}, revision ${revision}`;
  const rate = hourlyRate === null ? null : `${figure(hourlyRate)} ${currency ?? ""} per hour`.trim();
  const about = [clientName, rate, ...tags.map((tag) => `#${tag}`)].filter((part) => part !== null && part !== "");
  return [
    `${bold(left(title, width - widthOf(state) - 2))}  ${dim(state)}`,
    ...(about.length > 0 ? [cut(about.join(" · "), width)] : []),
    dim(id),
  ];
}

const SHOWN = { p50: "P50", p80: "P80", p95: "P95", expected: "expected" } as const;

function totalsOf(hours: TreeHours, width: number): string[] {
  const names = Object.keys(SHOWN) as (keyof typeof SHOWN)[];
  const column = Math.floor(width / names.length);
  const row = (values: readonly string[]) =>
    values
      .map((value) => left(value, column))
      .join("")
      .trimEnd();
  const { cost } = hours;
  return [
    dim(row(names.map((name) => SHOWN[name]))),
    bold(row(names.map((name) => `${figure(hours[name])} h`))),
    ...(cost ? [row(names.map((name) => money(cost[name], cost.currency)))] : []),
  ];
}

const DRIVERS = 5;
const SHARE_WIDTH = 20;
const SETTLED = "if settled";

function driversOf({ uncertainty }: TreeHours, explanation: HoursExplanation | undefined, width: number): string[] {
  const largest = uncertainty.filter(({ share }) => share >= 0.005).slice(0, DRIVERS);
  if (largest.length === 0) return [];
  const lowers = new Map(explanation?.clarify.map(({ optionId, lowersP80 }) => [optionId, lowersP80]));
  const said = largest.map(({ optionId }) => {
    const hours = lowers.get(optionId);
    return hours === undefined ? "" : `P80 −${figure(hours)}`;
  });
  const saidWidth = Math.max(SETTLED.length, ...said.map(widthOf));
  const title = width - SHARE_WIDTH - 8 - saidWidth - 4;
  const most = largest[0]?.share ?? 1;
  return [
    "",
    `${bold(left("What makes it uncertain", title + SHARE_WIDTH + 8))}  ${dim(right(SETTLED, saidWidth))}`.trimEnd(),
    ...largest.map((one, at) => {
      const bar = left(share(one.share / most, SHARE_WIDTH), SHARE_WIDTH);
      return `  ${left(one.title, title)}${bar}${right(percent(one.share), 8)}${right(said[at] ?? "", saidWidth + 2)}`.trimEnd();
    }),
  ];
}

const PROBLEMS = 10;

function problemsOf(problems: readonly Problem[], width: number): string[] {
  if (problems.length === 0) return [];
  const shown = problems.slice(0, PROBLEMS).flatMap(({ remedy }) => {
    const [first = "", ...rest] = wrap(remedy, width - 4);
    return [`  ! ${first}`, ...rest.map((line) => `    ${line}`)].map(yellow);
  });
  const more = problems.length - PROBLEMS;
  return ["", bold("To be settled"), ...shown, ...(more > 0 ? [`    and ${more} more`] : [])];
}
