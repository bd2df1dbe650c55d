import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{contract,domain,receiver,server,tests}/**/*.test.ts"],
    reporters: ["default", "./tests/slowest-files.ts"],
    globalSetup: ["tests/global-setup.ts"],
    isolate: false,
    maxWorkers: 2,
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
