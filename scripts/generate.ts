/** Regenerates every generated file of the repository; a test compares them with what is committed. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const EXTENSIONS = "server/db/migrations/0000_extensions.sql";
const drizzle = (...words: string[]) =>
  execFileSync(process.execPath, ["node_modules/drizzle-kit/bin.cjs", "generate", ...words], { stdio: "inherit" });

if (!existsSync(EXTENSIONS)) {
  drizzle("--custom", "--name", "extensions");
  writeFileSync(
    EXTENSIONS,
    `${readFileSync(EXTENSIONS, "utf8").trim()}\nCREATE EXTENSION IF NOT EXISTS pg_trgm;\n--> statement-breakpoint\nCREATE EXTENSION IF NOT EXISTS btree_gin;\n`,
  );
}
drizzle("--name", process.argv[2] ?? "change");
