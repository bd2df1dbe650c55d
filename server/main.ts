import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { failureLines } from "./commands/failure-lines.ts";
import type { CommandContext } from "./commands/serve.ts";
import { loadConfig } from "./config.ts";
import { createLog } from "./platform/log.ts";

const usage = `Usage: npm start, or npx node main.js <command>

  serve                  run the service: web application, API and background worker
  serve --without-pages  run the API and the worker, without the web application
  serve --only api       run the API alone; with --with-pages the web application too
  serve --only worker    run the background worker alone
  migrate                bring the database's schema up to date, and end
  user add <email>       make an account, also while the service runs; the password is asked for,
                         or read from standard input, or made and printed where none is given
    --name <name>        the user's name; by default what stands before the @
    --verified           count the address as verified, without a mail to confirm it
  user admin <email>     make a user an administrator, who runs the instance in the web application
    --remove             make an administrator an ordinary user again
  user export <email>    print all that is stored about a person, as JSON
  user erase <email>     erase a person: what they own is deleted, others' work stays; says what it would do
    --to <email>         hand estimations and templates over to this account instead
    --yes                do it
  demo [<email>]         make an account with examples on every page, demo@example.com by default, also while the service
                         runs; prints its password
  backup <file>          copy everything into one file, also while the service runs
  restore <file>         fill an empty database or data directory with a backup; nothing is sent to others until resume
  resume                 after a restore: send webhooks, mails and exports again
  rotate-key             change SESSION_SECRET and ENCRYPTION_KEY while the service runs, from the former ones in
                         SESSION_SECRET_FORMER and ENCRYPTION_KEY_FORMER; first restart every process with both
  accept-secrets         accept SESSION_SECRET and ENCRYPTION_KEY after they were changed; everything that the former ones signed or encrypted is lost
  help                   print this

Settings are environment variables, such as PORT, DATA_DIR and DATABASE_URL.`;

/** Arguments that are not understood: prints the usage, and the exit code is 2. */
class UsageError extends Error {}

// Each command is loaded only when it is called, so that it does not wait for the others' modules.
const commands: Record<string, (context: CommandContext, args: string[]) => Promise<number>> = {
  async serve(context, args) {
    const options = {
      only: { type: "string" },
      "with-pages": { type: "boolean", default: false },
      "without-pages": { type: "boolean", default: false },
    } as const;
    const { only, "with-pages": withPages, "without-pages": withoutPages } = read(args, options);
    if (only !== undefined && only !== "api" && only !== "worker") throw new UsageError("--only takes api or worker");
    if (withPages && only !== "api") throw new UsageError("--with-pages belongs to --only api");
    const { serve } = await import("./commands/serve.ts");
    return await serve(context, { only, withPages: withPages || (only === undefined && !withoutPages) });
  },
  async migrate(context, args) {
    read(args, {});
    const { migrate } = await import("./commands/migrate.ts");
    return await migrate(context);
  },
  async "accept-secrets"(context, args) {
    read(args, {});
    const { acceptSecrets } = await import("./commands/accept-secrets.ts");
    return await acceptSecrets(context);
  },
  async "rotate-key"(context, args) {
    read(args, {});
    const { rotateKey } = await import("./commands/rotate-key.ts");
    return await rotateKey(context);
  },
  async demo(context, args) {
    const [email = "demo@example.com", ...rest] = parse({ args, options: {}, allowPositionals: true }).positionals;
    if (rest.length > 0) throw new UsageError("demo takes one e-mail address");
    const { makeDemo } = await import("./commands/demo.ts");
    return await makeDemo(context, email);
  },
  async backup(context, args) {
    const { backup } = await import("./commands/backup.ts");
    return await backup(context, readFileName("backup", args));
  },
  async restore(context, args) {
    const { restore } = await import("./commands/restore.ts");
    return await restore(context, readFileName("restore", args));
  },
  async resume(context, args) {
    read(args, {});
    const { resume } = await import("./commands/resume.ts");
    return await resume(context);
  },
  async user(context, [verb, ...args]) {
    if (verb === "add") {
      const options = { name: { type: "string" }, verified: { type: "boolean" } } as const;
      const { email, values } = readAddress("user add", args, options);
      const { addUser } = await import("./commands/user-add.ts");
      return await addUser(context, { email, name: values.name, verified: values.verified === true });
    }
    if (verb === "admin") {
      const { email, values } = readAddress("user admin", args, { remove: { type: "boolean" } });
      const { appointUser } = await import("./commands/user-admin.ts");
      return await appointUser(context, { email, remove: values.remove === true });
    }
    if (verb === "export") {
      const { email } = readAddress("user export", args, {});
      const { exportUser } = await import("./commands/user-export.ts");
      return await exportUser(context, email);
    }
    if (verb === "erase") {
      const options = { to: { type: "string" }, yes: { type: "boolean" } } as const;
      const { email, values } = readAddress("user erase", args, options);
      const { eraseUser } = await import("./commands/user-erase.ts");
      return await eraseUser(context, { email, to: values.to, yes: values.yes === true });
    }
    throw new UsageError(
      "the commands are: user add, user admin, user export and user erase, each with an e-mail address",
    );
  },
};

/** Returns the only argument of a command, an e-mail address, and its options. */
function readAddress<T extends ParseArgsOptionsConfig>(command: string, args: string[], options: T) {
  const { values, positionals } = parse({ args, options, allowPositionals: true });
  const [email, ...rest] = positionals;
  if (email === undefined || rest.length > 0) throw new UsageError(`${command} takes one e-mail address`);
  return { email, values };
}

/** Calls `parseArgs`, and replaces its errors by messages for this command line. */
function parse<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function read<T extends ParseArgsOptionsConfig>(args: string[], options: T) {
  return parse({ args, options, strict: true }).values;
}

/** Returns the only argument of a command. */
function readFileName(command: string, args: string[]): string {
  const [file, ...rest] = parse({ args, options: {}, allowPositionals: true }).positionals;
  if (file === undefined || rest.length > 0) throw new UsageError(`the command is: ${command} <file>`);
  return file;
}

/** Runs the command in `args` and returns the exit code: 0 done, 1 failed, 2 not understood. */
async function main([name = "help", ...args]: string[]): Promise<number> {
  if (["help", "--help", "-h"].includes(name)) {
    console.log(usage);
    return 0;
  }
  let databaseUrl: string | null = null;
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) throw new UsageError(`there is no command ${name}`);
    const config = loadConfig();
    databaseUrl = config.databaseUrl;
    const log = createLog(config.logLevel);
    process.on("uncaughtException", (error) => {
      // The state of the process is unknown. The database keeps running, and the next start takes it over.
      log.fatal({ err: error }, "unexpected error; the process ends");
      process.exit(1);
    });
    return await command({ config, log, say: (line) => console.log(line) }, args);
  } catch (error) {
    for (const line of failureLines(error, databaseUrl)) console.error(`estimation-service: ${line}`);
    if (!(error instanceof UsageError)) return 1;
    console.error(`\n${usage}`);
    return 2;
  }
}

process.exit(await main(process.argv.slice(2)));
