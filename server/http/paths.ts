import type { FastifyInstance } from "fastify";

/** The existing paths, to distinguish an unknown path (404) from a known one with another method (405). */
export interface Paths {
  /** Returns the methods of the path of `url`, sorted; none if the path is unknown. */
  methodsOf(url: string): string[];
  /** The patterns of all paths, with their parameters by name, such as `/api/estimations/:id`. */
  readonly patterns: () => readonly string[];
}

/** Records the routes that are added to `app` from now on. */
export function listPaths(app: FastifyInstance): Paths {
  const byPath = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook("onRoute", ({ url, method }) => {
    const pattern = new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:[A-Za-z]+/g, "[^/]+")}$`);
    const entry = byPath.get(url) ?? { pattern, methods: new Set<string>() };
    for (const name of [method].flat()) entry.methods.add(name);
    byPath.set(url, entry);
  });
  return {
    patterns: () => [...byPath.keys()],
    methodsOf(url) {
      const path = url.split("?", 1)[0] ?? "";
      const matching = [...byPath.values()].filter(({ pattern }) => pattern.test(path));
      return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort();
    },
  };
}
