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

/** Reads the training and validation parts: rows of the test part are dropped while the file is read. */
export const readEarlierParts = (folder: string): Project[] => read(folder, ["train", "val"]);

function read(folder: string, parts: readonly Part[]): Project[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".csv"));
  if (files.length === 0) throw new Error(`no .csv files in ${folder}`);
  return files.sort().map((file) => ({
    name: basename(file, ".csv"),
    issues: rowsOf(readFileSync(join(folder, file), "utf8"))
      .filter(({ split_mark: part }) => parts.some((wanted) => wanted === part))
      .map(({ title = "", description = "", storypoint }) => ({
        piece: { words: wordsOf(title, description), role: 0, size: null },
        points: Number(storypoint),
      })),
  }));
}

/** Reads CSV with a header; quoted fields may contain line ends and doubled quotes. */
function rowsOf(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (!match) throw new Error("not CSV");
    rows.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] !== "," && field.lastIndex < text.length) rows.push([]);
  }
  const [header = [], ...values] = rows;
  return values.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ""])));
}
