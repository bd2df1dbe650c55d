/**
 * A program: builds the web application into the folder that its argument names, with every file also compressed. The
 * service runs it in a process of its own, so that the bundler does not stay in memory.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build } from "vite";

/** The first start waits for this: level 10 takes thirteen times as long, a quarter of the build, and saves 5 % of the bytes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

const [outDir = ""] = process.argv.slice(2);
const configFile = fileURLToPath(new URL("../../web/vite.config.ts", import.meta.url));
await build({ configFile, logLevel: "warn", build: { outDir, emptyOutDir: true } });

const assets = join(outDir, "assets");
await Promise.all(
  (await readdir(assets)).map(async (name) => {
    const content = await readFile(join(assets, name));
    await writeFile(join(assets, `${name}.br`), await promisify(brotliCompress)(content, BROTLI));
    await writeFile(join(assets, `${name}.gz`), await promisify(gzip)(content, { level: 9 }));
  }),
);
