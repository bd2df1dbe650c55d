import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LONG_TESTS, WITH_ALL_CASES } from "./tests/support/long-tests.ts";
import quick from "./vitest.config.ts";

/** The longer proofs (`npm run test:all`), each run like the other tests. */
export default defineConfig({
  ...quick,
  test: {
    ...quick.test,
    include: [...LONG_TESTS, ...WITH_ALL_CASES],
    exclude: ["**/node_modules/**"],
    env: { ALL_CASES: "1" },
    // Each has browsers, databases or processes of its own beside it, so that more files at once end no earlier.
    maxWorkers: Math.min(availableParallelism(), 8),
  },
});
