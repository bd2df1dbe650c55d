import fc from "fast-check";
import { afterAll } from "vitest";
import { runEndings } from "./support/end-of-file.ts";
import { seed } from "./support/seed.ts";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

// As a set-up file it is run for each test file, before the file's own hooks are known: its hook runs after them.
afterAll(runEndings);
