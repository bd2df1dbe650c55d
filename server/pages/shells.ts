import { basename, extname } from "node:path";
import type { Manifest } from "vite";
import { NONCE_MARK, type PagePath, pageModules } from "../../contract/pages.ts";

/** The largest file of every page. */
const LIBRARIES = /\blibraries-[\w-]+\.js$/;
/** The font of most texts. */
const FONT = /\binter-latin-wght-.*\.woff2$/;

/**
 * Returns what each path returns: `shell`, which loads the application, with links to the files that the application would
 * ask for next on this page. A browser has few connections with HTTP/1.1: the largest file gets one first, and the page's own
 * and the font wait for what is asked for without a link, such as the estimation. Throws where a file is missing.
 */
export function shellsOf(shell: string, manifest: Manifest): Map<PagePath, string> {
  const ofEveryPage = filesOf(["index.html"], manifest);
  const fileLike = (pattern: RegExp): string => {
    const found = Object.values(manifest).find(({ file }) => pattern.test(file));
    if (found === undefined) throw new Error(`the web application has no file like ${pattern}`);
    return found.file;
  };
  const libraries = fileLike(LIBRARIES);
  const last = `<link rel="preload" as="font" type="font/woff2" fetchpriority="low" crossorigin href="/assets/${basename(fileLike(FONT))}">`;
  const begun = shell
    .replace(new RegExp(`\\s*<link rel="modulepreload"[^>]*${basename(libraries)}[^>]*>`), "")
    .replace("<link ", `${linkTo(libraries)}<link `);
  const paths = Object.entries(pageModules) as [PagePath, readonly string[]][];
  return new Map(
    paths.map(([path, modules]) => {
      const files = filesOf(
        modules.map((module) => `src/${module}`),
        manifest,
      );
      const links = [...files.difference(ofEveryPage)].map((file) => linkTo(file, "low"));
      return [path, begun.replace("</head>", `${links.join("")}${last}</head>`)];
    }),
  );
}

/** Returns the files of modules, and of everything that these import: styles in the order in which they are imported. */
function filesOf(modules: readonly string[], manifest: Manifest): Set<string> {
  const files = new Set<string>();
  const add = (module: string): void => {
    const chunk = manifest[module];
    if (chunk === undefined) throw new Error(`the web application has no module ${module}`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) add(imported);
    for (const style of chunk.css ?? []) files.add(style);
  };
  for (const module of modules) add(module);
  return files;
}

/** Styles are always urgent: nothing is painted without them. */
const linkTo = (file: string, priority: "high" | "low" = "high"): string => {
  const rel = extname(file) === ".css" ? 'rel="stylesheet"' : `rel="modulepreload" fetchpriority="${priority}"`;
  return `<link ${rel} crossorigin href="/assets/${basename(file)}" nonce="${NONCE_MARK}">`;
};
