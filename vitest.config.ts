import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{contract,domain,receiver,server,tests,web}/**/*.test.ts"],
    reporters: ["default", "./tests/slowest-files.ts"],
    globalSetup: ["tests/global-setup.ts"],
    setupFiles: ["tests/each-file.ts"],
    isolate: false,
    pool: "forks",
    execArgv: ["--import", fileURLToPath(new URL("server/platform/quick-imports.ts", import.meta.url))],
    // Many tests wait for processes and disks, so three files at once use two cores well; by default vitest runs one there.
    maxWorkers: 3,
    // Only tells a test that hangs from one on a busy machine: no test waits for a time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 150_000 } },
  },
});
