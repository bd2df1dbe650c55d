import { scopesOf } from "../../contract/endpoint.ts";
import { contract } from "../../contract/index.ts";
import type { Command } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Flag } from "./flags.ts";
import { bold, columns, dim } from "./screen/style.ts";
import { left, widthOf, wrap } from "./screen/text.ts";

type Row = readonly [name: string, says: string];

/** Returns rows of two columns; the second is broken between words. */
function table(rows: readonly Row[], width: number): string[] {
  const name = Math.min(30, Math.max(...rows.map(([name]) => widthOf(name))));
  return rows.flatMap(([said, says]) => {
    const [first = "", ...rest] = wrap(says, Math.max(20, width - name - 4));
    const begin =
      widthOf(said) > name ? [`  ${said}`, `  ${" ".repeat(name)}  ${first}`] : [`  ${left(said, name)}  ${first}`];
    return [...begin, ...rest.map((line) => `  ${" ".repeat(name)}  ${line}`)];
  });
}

const title = (text: string) => ["", bold(text)];

const EVERYWHERE: readonly Row[] = [
  ["--json", "Prints the data of the service as JSON, and nothing else"],
  ["-h, --help", "Shows help, also of a command"],
];

/** Returns the help of the whole program. */
export function generalHelp(commands: Readonly<Record<string, Command>>): string {
  const width = columns();
  return [
    "Usage: estimate COMMAND [options]",
    "",
    ...wrap("Estimations on the command line: read, try out, choose, edit, export, watch.", width),
    ...title("Commands"),
    ...table(
      Object.entries(commands).map(([name, { takes, summary }]) => [`${name} ${takes}`.trim(), summary]),
      width,
    ),
    ...title("Everywhere"),
    ...table([...EVERYWHERE, ["--version", "Shows the version"]], width),
    ...wrap("ID is the id of an estimation, the address of its page, or its title.", width).map((line) => `  ${line}`),
    ...title("Environment"),
    ...table(
      [
        ["ESTIMATE_URL", "Where the service is; by default as stored by login"],
        ["ESTIMATE_TOKEN", "An API key, instead of the stored one"],
        ["VISUAL, EDITOR", "The editor for edit"],
        ["NO_COLOR", "No colours; without a terminal there are none anyway"],
      ],
      width,
    ),
    ...title("Exit codes"),
    ...table(Object.entries(exitCodes), width),
    ...title("Examples"),
    ...examplesOf([
      ["estimate login https://estimates.example.com", "stores address and key"],
      ['estimate show "Web shop"', "the tree with its ranges"],
      ["estimate show --help", "more about a command"],
    ]),
  ].join("\n");
}

/** Returns the help of one command. */
export function helpOf(name: string, command: Command): string {
  const width = columns();
  const { takes, summary, says, flags, examples } = command;
  const scopes = [...new Set(command.calls.flatMap((id) => scopesOf(contract[id].access)))];
  return [
    `Usage: ${`estimate ${name} ${takes}`.trim()}${flags.length > 0 ? " [options]" : ""}`,
    "",
    ...wrap(`${summary}.`, width),
    ...(says === undefined ? [] : says.split("\n").flatMap((text) => ["", ...wrap(text, width)])),
    ...(scopes.length > 0
      ? ["", ...wrap(`Needs a key with the scope${scopes.length > 1 ? "s" : ""} ${scopes.join(", ")}.`, width)]
      : []),
    ...title("Options"),
    ...table([...flags.map((flag): Row => [written(flag), said(flag)]), ...EVERYWHERE], width),
    ...title("Examples"),
    ...examplesOf(examples),
  ].join("\n");
}

const PLACES = { text: " TEXT", number: " NUMBER", switch: "", list: " LIST" } as const;
const FEW = 26;

const choiceOf = ({ values, kind }: Flag): string | null => {
  const choice = values?.join("|") ?? "";
  return kind === "text" && values && choice.length <= FEW ? choice : null;
};

function written(flag: Flag): string {
  const choice = choiceOf(flag);
  return `--${flag.name}${choice === null ? PLACES[flag.kind] : ` ${choice}`}`;
}

/** What an option does, with the values that there are if they do not stand beside its name. */
function said(flag: Flag): string {
  return flag.values && choiceOf(flag) === null ? `${flag.says}: ${flag.values.join(", ")}` : flag.says;
}

const examplesOf = (examples: Command["examples"]) =>
  examples.flatMap(([command, does]) => [`  ${command}`, `      ${dim(does)}`]);
