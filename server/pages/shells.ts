import { basename, extname } from "node:path";
import type { Manifest } from "vite";
import { NONCE_MARK, type PagePath, pageModules } from "../../contract/pages.ts";

/**
 * Returns what each path returns: `shell`, which loads the application, with links to the files that the application would
 * ask for next on this page. Throws where the application has no such module.
 */
export function shellsOf(shell: string, manifest: Manifest): Map<PagePath, string> {
  const ofEveryPage = filesOf(["index.html"], manifest);
  const paths = Object.entries(pageModules) as [PagePath, readonly string[]][];
  return new Map(
    paths.map(([path, modules]) => {
      const files = filesOf(
        modules.map((module) => `src/${module}`),
        manifest,
      );
      const links = [...files.difference(ofEveryPage)].map(linkTo).join("");
      return [path, shell.replace("</head>", `${links}</head>`)];
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

const linkTo = (file: string): string => {
  const rel = extname(file) === ".css" ? "stylesheet" : "modulepreload";
  return `<link rel="${rel}" crossorigin href="/assets/${basename(file)}" nonce="${NONCE_MARK}">`;
};
