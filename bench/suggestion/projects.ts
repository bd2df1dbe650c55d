import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Piece } from "../../domain/suggestion/forecast.ts";
import { wordsOf } from "../../domain/suggestion/words.ts";

/** An issue of a public project, and its story points. */
export interface Issue {
  readonly piece: Piece;
  readonly points: number;
}

/** The issues of a project in chronological order. */
export interface Project {
  readonly name: string;
  readonly issues: readonly Issue[];
}

type Part = "train" | "val" | "test";

/** Reads all projects: the first 60 % of the issues are for training, the next 20 % for validation, the last for the test. */
export const readProjects = (folder: string): Project[] => read(folder, ["train", "val", "test"]);

/** Reads the training and validation parts: nothing is looked at from the first row of the test part on. */
export const readEarlierParts = (folder: string): Project[] => read(folder, ["train", "val"]);

function read(folder: string, parts: readonly Part[]): Project[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".csv"));
  if (files.length === 0) throw new Error(`no .csv files in ${folder}`);
  return files.sort().map((file) => {
    const issues: Issue[] = [];
    for (const { split_mark: part, title = "", description = "", storypoint } of rowsOf(join(folder, file))) {
      if (!parts.some((wanted) => wanted === part)) break;
      issues.push({
        piece: { words: wordsOf(title, description), role: 0, size: null },
        points: Number(storypoint),
      });
    }
    return { name: basename(file, ".csv"), issues };
  });
}

/** Reads CSV with a header, row by row; quoted fields may contain line ends and doubled quotes. */
function* rowsOf(file: string): Generator<Record<string, string>> {
  const text = readFileSync(file, "utf8");
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  let header: string[] | null = null;
  for (let row: string[] = []; field.lastIndex < text.length; ) {
    const match = field.exec(text);
    if (!match) throw new Error("not CSV");
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] === ",") continue;
    if (header) yield Object.fromEntries(header.map((name, at) => [name, row[at] ?? ""]));
    else header = row;
    row = [];
  }
}
