import { enableCompileCache, type ResolveFnOutput, registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

// Makes loading the service take a third of the time. Whatever is to profit must be loaded after this file; a thread of
// its own needs it too.

// A third of the loading is compiling. The results are cached among the packages: who can change the one can change the
// other as well. `npm run pack` fills the cache, which is of use in whichever folder it is unpacked.
const directory = fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url));
enableCompileCache({ directory, portable: true });

// An import of node:http reads each of its names. Behind these is a client of Node.js's own that nobody asks for, and
// loading it takes as long as fifty modules.
const http = process.getBuiltinModule("node:http");
for (const name of ["WebSocket", "CloseEvent", "MessageEvent"]) {
  Object.defineProperty(http, name, { value: undefined, configurable: true });
}

// The package.json of drizzle-orm has 180 KB, and Node.js parses it again for every import of one of its hundred modules:
// half of the rest. Our own sources and modules in .mjs are named by their files, and looking for each of them again takes
// a fifth of a start: TypeBox alone has 700.
const PACKAGE = "drizzle-orm";
const found = new Map<string, ResolveFnOutput>();

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    const fromPackage = parentURL?.includes("/node_modules/") ?? true;
    if (specifier.startsWith("./") || specifier.startsWith("../")) {
      const format = formatOf(specifier, parentURL, fromPackage);
      if (format === undefined) return next(specifier, context);
      return { url: new URL(specifier, parentURL).href, format, shortCircuit: true };
    }
    // To our own sources, a package is always the same.
    if (fromPackage && specifier !== PACKAGE && !specifier.startsWith(`${PACKAGE}/`)) return next(specifier, context);
    const result = found.get(specifier) ?? { ...next(specifier, context), shortCircuit: true };
    found.set(specifier, result);
    return result;
  },
});

/** Returns the format of a module whose relative name is also that of its file; undefined if it must be looked for. */
function formatOf(specifier: string, parentURL: string | undefined, fromPackage: boolean): string | undefined {
  if (parentURL === undefined) return undefined;
  if (specifier.endsWith(".ts")) return fromPackage ? undefined : "module-typescript";
  if (specifier.endsWith(".mjs")) return fromPackage ? "module" : undefined;
  return specifier.endsWith(".js") && parentURL.includes(`/node_modules/${PACKAGE}/`) ? "module" : undefined;
}
