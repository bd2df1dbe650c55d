import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { readdir, stat, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Description, published, schemaOfResponses } from "./published.ts";

/** Where the responses of a run are stored, below the folder of the run. */
export const RESPONSES = "responses";

/** A file in that folder: the run had responses that have to be stored. */
const EXPECTED = "expected";

/** Notes that the run has responses. */
export const expectResponses = (folder: string): void => writeFileSync(join(folder, EXPECTED), "");

const PROGRAM = fileURLToPath(new URL("../node_modules/@sourcemeta/jsonschema/npm/cli.js", import.meta.url));

/**
 * Judges the responses that are stored in a folder, an object per line, by a validator that is written in C++ and has nothing
 * in common with Ajv. Returns how many there were; throws where the description refuses one, or where there are none
 * although there were responses.
 */
export async function judgeStored(folder: string, description: Description = published()): Promise<number> {
  const stored = (await readdir(folder)).filter((name) => name.endsWith(".jsonl"));
  if (stored.length === 0) {
    if (existsSync(join(folder, EXPECTED)))
      throw new Error("No response of this run was stored for the second validator.");
    return 0;
  }
  const schema = join(folder, "schema.json");
  await writeFile(schema, JSON.stringify(schemaOfResponses(description)));
  const groups = await dealOut(stored.map((name) => join(folder, name)));
  const judging = groups.map((files) => judgeFiles(schema, files));
  // The folder is removed afterwards, also if a group is refused: no other group may still be read then.
  await Promise.allSettled(judging);
  return (await Promise.all(judging)).reduce((sum, count) => sum + count, 0);
}

/**
 * Returns the files in as many groups as there are processors, which judge them at the same time: nothing else runs at the
 * end of a run. The largest are dealt out first, so that no group takes much longer than the others.
 */
async function dealOut(files: readonly string[]): Promise<string[][]> {
  const sized = await Promise.all(files.map(async (file) => ({ file, bytes: (await stat(file)).size })));
  const groups = Array.from({ length: Math.min(availableParallelism(), files.length) }, () => ({
    files: [] as string[],
    bytes: 0,
  }));
  for (const { file, bytes } of sized.sort((a, b) => b.bytes - a.bytes)) {
    const smallest = groups.reduce((least, group) => (group.bytes < least.bytes ? group : least));
    smallest.files.push(file);
    smallest.bytes += bytes;
  }
  return groups.map((group) => group.files);
}

async function judgeFiles(schema: string, files: readonly string[]): Promise<number> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [PROGRAM, "validate", schema, ...files], {
    maxBuffer: 2 ** 26,
  }).catch((failed: { stdout: string; stderr: string }) => {
    throw new Error(`The published description refuses responses of this run.\n${failed.stdout}${failed.stderr}`);
  });
  const judged = Number(/(\d+) validated/.exec(stdout + stderr)?.[1]);
  if (!(judged > 0)) throw new Error(`The second validator judged nothing.\n${stdout}${stderr}`);
  return judged;
}
