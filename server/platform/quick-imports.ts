import { enableCompileCache, type ResolveFnOutput, registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

// Makes loading the service take a third of the time. Whatever is to profit must be loaded after this file; a thread of
// its own needs it too.

// A third of the loading is compiling. The results are kept among the packages: who can change the one can change the
// other as well.
enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url)));

// The package.json of drizzle-orm has 180 KB, and Node.js parses it again for every import of one of its hundred modules:
// half of the rest. Our own sources are named by their files, and looking for each of them again takes a tenth of a start.
const PACKAGE = "drizzle-orm";
const found = new Map<string, ResolveFnOutput>();

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    if (specifier.startsWith("./") || specifier.startsWith("../")) {
      if (specifier.endsWith(".ts") && parentURL && !parentURL.includes("/node_modules/"))
        return { url: new URL(specifier, parentURL).href, format: "module-typescript", shortCircuit: true };
      const inPackage = specifier.endsWith(".js") && parentURL?.includes(`/node_modules/${PACKAGE}/`);
      if (!inPackage) return next(specifier, context);
      return { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true };
    }
    if (specifier !== PACKAGE && !specifier.startsWith(`${PACKAGE}/`)) return next(specifier, context);
    const result = found.get(specifier) ?? { ...next(specifier, context), shortCircuit: true };
    found.set(specifier, result);
    return result;
  },
});
