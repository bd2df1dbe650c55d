/** `estimate`: the service on a command line. */
import { parseArgs } from "node:util";
import type { Command, Tools } from "./command.ts";
import { commands } from "./commands.ts";
import { connect, tell } from "./connect.ts";
import { UsageError } from "./failure.ts";
import { type Flag, parseable, readFlags } from "./flags.ts";
import { generalHelp, helpOf } from "./help.ts";
import { progressLine } from "./progress.ts";
import { clean, cleanJson } from "./screen/text.ts";
import { heedSignals } from "./stop.ts";

const EVERYWHERE = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;

const progress = progressLine();
const stop = heedSignals();

const say = (line: string): void => {
  progress(null);
  console.error(line);
};

function toolsFor(json: boolean): Tools {
  const note = (line: string) => say(clean(line));
  return {
    stop,
    json,
    note,
    progress,
    connect: () => connect({ signal: stop.signal, note, progress }),
    print(line) {
      progress(null);
      console.log(line);
    },
    printJson: (data, indent = 2) => console.log(cleanJson(data, indent)),
  };
}

function parse(flags: readonly Flag[], args: readonly string[]) {
  try {
    const options = { ...parseable(flags), ...EVERYWHERE };
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message.split(". To specify")[0] ?? "");
  }
}

function commandNamed(name: string): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return command;
  throw new UsageError(`there is no command ${clean(name)}: estimate --help lists them`);
}

async function run([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined || name === "help" || name === "-h" || name === "--help") {
    console.log(args[0] === undefined ? generalHelp(commands) : helpOf(args[0], commandNamed(args[0])));
    return;
  }
  if (name === "--version") return console.log(process.env.ESTIMATE_VERSION ?? "source");
  const command = commandNamed(name);
  const { values, positionals } = parse(command.flags, args);
  if (values.help === true) return console.log(helpOf(name, command));
  checkWords(name, command.takes, positionals);
  await command.run(positionals, readFlags(command.flags, values), toolsFor(values.json === true));
}

/** Throws `UsageError` if there are more or fewer words than the command takes. */
function checkWords(name: string, takes: string, words: readonly string[]): void {
  const places = takes.split(" ").filter((place) => place !== "");
  const required = places.filter((place) => !place.startsWith("["));
  if (words.length >= required.length && words.length <= places.length) return;
  throw new UsageError(`usage: estimate ${name} ${takes} — estimate ${name} --help shows examples`);
}

// Nobody reads on, as after `estimate list | head`.
process.stdout.on("error", () => process.exit(1));

await run(process.argv.slice(2)).catch((error: unknown) => {
  const { lines, exitCode } = tell(error);
  progress(null);
  if (lines.length > 0) say(lines.map((line, at) => (at === 0 ? `estimate: ${line}` : line)).join("\n"));
  process.exitCode = exitCode;
});
progress(null);
