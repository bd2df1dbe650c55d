import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const folder = fileURLToPath(new URL("../../server/db/migrations", import.meta.url));

/** Returns a folder with the migrations, and one more for each text of `later`, as a later version would have it. */
export async function withLaterMigrations(...later: string[]): Promise<string> {
  const changed = await mkdtemp(join(tmpdir(), "migrations-"));
  onTestFinished(() => rm(changed, { recursive: true }));
  await cp(folder, changed, { recursive: true });
  const file = join(changed, "meta/_journal.json");
  const journal: { entries: { idx: number; when: number; tag: string }[] } = JSON.parse(await readFile(file, "utf8"));
  const entries = [...journal.entries];
  for (const text of later) {
    const idx = entries.length;
    const entry = { idx, version: "7", when: (entries.at(-1)?.when ?? 0) + 1, tag: `${idx}_later`, breakpoints: true };
    entries.push(entry);
    await writeFile(join(changed, `${entry.tag}.sql`), text);
  }
  await writeFile(file, JSON.stringify({ ...journal, entries }));
  return changed;
}
