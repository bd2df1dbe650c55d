import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import SlowFirst from "./tests/slow-first.ts";
import { LONG_TESTS } from "./tests/support/long-tests.ts";
import { patient } from "./tests/support/patience.ts";

export default defineConfig({
  test: {
    include: ["{clients,contract,domain,receiver,server,tests,web}/**/*.test.ts"],
    // `npm run test:repeat` repeats any test.
    exclude: ["**/node_modules/**", ...(process.env.ALL_CASES ? [] : LONG_TESTS)],
    reporters: ["default", "./tests/slowest-files.ts", "./tests/failed-tests.ts"],
    globalSetup: ["tests/global-setup.ts"],
    setupFiles: ["tests/each-file.ts"],
    isolate: false,
    // Node.js loads our sources as it does in production, instead of Vite, which makes each use of an import a look-up. No
    // test mocks a module, so the loader that Vitest has for that can stay out too.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: "forks",
    execArgv: [
      // MiB for new objects, of which most tests make many: collecting them takes a tenth of the processor's time.
      "--max-semi-space-size=64",
      "--import",
      fileURLToPath(new URL("server/platform/quick-imports.ts", import.meta.url)),
    ],
    sequence: { sequencer: SlowFirst },
    // Many tests wait for processes and disks. A file takes up to 1 GiB, and PostgreSQL has connections for eight.
    maxWorkers: Math.min(2 * availableParallelism(), 8),
    // Only tells a test that hangs from one on a busy machine: no test waits for a time.
    testTimeout: patient(180_000),
    hookTimeout: patient(180_000),
    expect: { poll: { timeout: patient(150_000) } },
  },
});
