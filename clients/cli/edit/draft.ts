import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Estimation } from "../../../contract/endpoints/estimations.ts";
import type { Tree } from "../../../contract/values/tree.ts";
import { configFolder, makePrivate, writePrivate } from "../config.ts";

/** What an outline was written from: it is saved only where the estimation is still like this. */
export interface Base {
  readonly estimation: Estimation;
  readonly tree: Tree;
}

/** An outline that somebody edits, as a file: it stays until it is stored at the service. */
export interface Draft {
  readonly file: string;
  exists(): boolean;
  read(): string;
  readBase(): Base;
  write(text: string, base: Base): void;
  remove(): void;
}

/** Returns the draft of an estimation: there is at most one of each. */
export function draftOf(id: string, folder = join(configFolder(), "drafts")): Draft {
  const file = join(folder, `${id}.md`);
  const baseFile = join(folder, `${id}.json`);
  return {
    file,
    exists: () => existsSync(file) && existsSync(baseFile),
    read: () => readFileSync(file, "utf8"),
    readBase: () => JSON.parse(readFileSync(baseFile, "utf8")) as Base,
    write(text, base) {
      makePrivate(folder);
      // The base last: an outline beside an older base is merged again, one beside a newer base would undo others' changes.
      writePrivate(file, text);
      writePrivate(baseFile, JSON.stringify(base));
    },
    remove() {
      rmSync(file, { force: true });
      rmSync(baseFile, { force: true });
    },
  };
}
