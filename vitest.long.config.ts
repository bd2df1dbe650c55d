import { defineConfig } from "vitest/config";
import { LONG_TESTS } from "./tests/support/long-tests.ts";
import quick from "./vitest.config.ts";

/** The longer proofs (`npm run test:all`), each run like the other tests. */
export default defineConfig({
  ...quick,
  test: { ...quick.test, include: [...LONG_TESTS], exclude: ["**/node_modules/**"] },
});
