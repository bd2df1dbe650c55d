import { afterAll } from "vitest";
import { runEndings } from "./support/end-of-file.ts";

// As a set-up file it is run for each test file, before the file's own hooks are known: its hook runs after them.
afterAll(runEndings);
