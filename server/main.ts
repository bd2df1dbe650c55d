import { parseArgs } from "node:util";
import { failureLines } from "./commands/failure-lines.ts";
import { migrate } from "./commands/migrate.ts";
import { type CommandContext, serve } from "./commands/serve.ts";
import { loadConfig } from "./config.ts";
import { createLog } from "./platform/log.ts";

const usage = `Usage: npm start, or node main.js <command>

  serve                  run the service: API and background worker
  serve --only api       run the API alone
  serve --only worker    run the background worker alone
  migrate                bring the database's schema up to date, and end
  help                   print this

Settings are environment variables, such as PORT, DATA_DIR and DATABASE_URL.`;

/** Arguments that make no sense: the usage is printed, and the exit code is 2. */
class UsageError extends Error {}

const commands: Record<string, (context: CommandContext, args: string[]) => Promise<number>> = {
  async serve(context, args) {
    const { only } = read(args, { only: { type: "string" } });
    if (only !== undefined && only !== "api" && only !== "worker") throw new UsageError("--only takes api or worker");
    return await serve(context, only);
  },
  async migrate(context, args) {
    read(args, {});
    return await migrate(context);
  },
};

function read(args: string[], options: Record<string, { type: "string" }>): Record<string, string | undefined> {
  try {
    return parseArgs({ args, options, strict: true }).values as Record<string, string | undefined>;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Runs the command that `args` name, and returns the exit code: 0 done, 1 failed, 2 not understood. */
async function main([name = "help", ...args]: string[]): Promise<number> {
  if (["help", "--help", "-h"].includes(name)) {
    console.log(usage);
    return 0;
  }
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) throw new UsageError(`there is no command ${name}`);
    const config = loadConfig();
    const log = createLog(config.logLevel);
    process.on("uncaughtException", (error) => {
      // What state the process is in is unknown. The database keeps running, and the next start takes it over.
      log.fatal({ err: error }, "unexpected error; the process ends");
      process.exit(1);
    });
    return await command({ config, log, say: (line) => console.log(line) }, args);
  } catch (error) {
    for (const line of failureLines(error)) console.error(`estimation-service: ${line}`);
    if (!(error instanceof UsageError)) return 1;
    console.error(`\n${usage}`);
    return 2;
  }
}

process.exit(await main(process.argv.slice(2)));
