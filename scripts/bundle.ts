import { relative, sep } from "node:path";
import { build, type Plugin } from "vite";

/** The folder of the bundle, in that of the service. */
const BUNDLE = "bundle";

/** Files are found beside the sources, wherever the bundle has the code. */
const besideSources = (root: string): Plugin => ({
  name: "beside-sources",
  transform(code, id) {
    const path = relative(root, id).split(sep).join("/");
    if (path.startsWith("node_modules/") || !code.includes("import.meta.url")) return null;
    return code.replaceAll("import.meta.url", `new URL(${JSON.stringify(`../${path}`)}, import.meta.url).href`);
  },
});

/**
 * Joins the modules that the main thread loads, the packages included, into a few files in `folder`: a start spends most of its time
 * on two thousand small ones. Worker threads still load the sources.
 */
export async function bundleServer(root: string, folder: string): Promise<void> {
  await build({
    ...{ root, configFile: false, publicDir: false, logLevel: "error" },
    plugins: [besideSources(root)],
    // Starts its threads from a file of its own.
    ssr: { noExternal: true, external: ["piscina"] },
    build: {
      ...{ ssr: "server/main.ts", outDir: `${folder}/${BUNDLE}`, target: "node24", minify: false },
      rolldownOptions: {
        external: ["piscina"],
        output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
      },
    },
  });
}
