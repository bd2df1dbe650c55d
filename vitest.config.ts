import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{contract,domain,receiver,server,tests}/**/*.test.ts"],
    globalSetup: ["tests/global-setup.ts"],
    isolate: false,
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
