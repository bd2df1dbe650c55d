import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { Manifest } from "vite";
import type { PagePath } from "../../contract/pages.ts";
import { shellsOf } from "./shells.ts";

/** A file of the application, plain and compressed. */
export interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** The built web application, in memory. */
export interface Pages {
  /** What each path returns: the application, and the files that this page needs; with marks for the nonce and the facts. */
  readonly shells: ReadonlyMap<PagePath, string>;
  /** The same for paths that are not a page. */
  readonly shell: string;
  /** Files whose names contain their hash, by name. */
  readonly assets: ReadonlyMap<string, Asset>;
  readonly icon: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Reads an application that was built into `folder`. Throws for a file of an unknown kind. */
export async function loadPages(folder: string): Promise<Pages> {
  const assets = join(folder, "assets");
  const names = (await readdir(assets)).filter((name) => !/\.(br|gz)$/.test(name));
  const loaded = names.map(async (name): Promise<[string, Asset]> => {
    const type = TYPES[extname(name)];
    if (type === undefined) throw new Error(`the web application has a file of an unknown kind: ${name}`);
    const [plain, br, gzip] = await Promise.all(["", ".br", ".gz"].map((end) => readFile(join(assets, name + end))));
    return [name, { type, plain, br, gzip } as Asset];
  });
  const shell = await readFile(join(folder, "index.html"), "utf8");
  const manifest = await readFile(join(folder, ".vite", "manifest.json"), "utf8");
  return {
    shell,
    shells: shellsOf(shell, JSON.parse(manifest) as Manifest),
    icon: await readFile(join(folder, "icon.svg")),
    assets: new Map(await Promise.all(loaded)),
  };
}
