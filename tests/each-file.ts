import fc from "fast-check";
import { afterAll, afterEach, expect } from "vitest";
import { runEndings } from "./support/end-of-file.ts";
import { takeRefusedWrites } from "./support/refused-writes.ts";
import { seed } from "./support/seed.ts";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

const begin = process.cpuUsage();

afterEach(({ task }) => {
  const { user, system } = process.cpuUsage(begin);
  // For `tests/slowest-files.ts`.
  Object.assign(task.file.meta, { cpuSeconds: (user + system) / 1_000_000 });
  expect(takeRefusedWrites(), "requests that were refused and wrote").toEqual([]);
});

// As a set-up file it is run for each test file, before the file's own hooks are known: its hook runs after them.
afterAll(runEndings);
