import { writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import type { Reporter, SerializedError, TestModule, TestRunEndReason, Vitest } from "vitest/node";

/** What a run ends with where something failed. */
export interface FailedRun {
  /** The file of Vitest's configuration. */
  readonly config: string;
  /** Tests that failed, each by its file and its name within it. */
  readonly tests: readonly { readonly file: string; readonly name: string }[];
  /** Whether anything else failed: a set-up, an import, an error outside of tests, an interrupted run. */
  readonly hasOther: boolean;
  /** What failed, each with its first lines. */
  readonly summary: string;
}

/** The lines that describe all that failed, at the most, and those of one error. */
const MOST_LINES = 56;
const LINES_EACH = 4;
const MOST_COLUMNS = 400;

/**
 * Prints what failed once more, in a few lines, at the very end of a run, and writes it as a {@link FailedRun} to the file that the
 * environment names in `FAILED_RUN`.
 */
export default class FailedTests implements Reporter {
  private config = "";

  onInit({ vite }: Vitest): void {
    this.config = vite.config.configFile || "";
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[], reason: TestRunEndReason): void {
    if (reason === "passed") return;
    const tests: { file: string; name: string }[] = [];
    const failures: string[][] = [];
    let hasOther = reason === "interrupted" || unhandled.length > 0;
    for (const error of unhandled) failures.push(["FAIL outside of tests", ...firstLines(error)]);
    for (const module of modules) {
      const { relativeModuleId: file } = module;
      for (const suite of [module, ...module.children.allSuites()]) {
        const [error] = suite.errors();
        if (error === undefined) continue;
        hasOther = true;
        failures.push([`FAIL ${file}${suite.type === "suite" ? ` › ${suite.fullName}` : ""}`, ...firstLines(error)]);
      }
      for (const test of module.children.allTests("failed")) {
        const name = test.fullName.replaceAll(" > ", " › ");
        tests.push({ file, name });
        failures.push([`FAIL ${file} › ${name}`, ...(test.result().errors?.slice(0, 1).flatMap(firstLines) ?? [])]);
      }
    }
    const summary = inFewLines(failures);
    console.log(`\n${summary}`);
    const run: FailedRun = { config: this.config, tests, hasOther: hasOther || tests.length === 0, summary };
    if (process.env.FAILED_RUN) writeFileSync(process.env.FAILED_RUN, JSON.stringify(run));
  }
}

function firstLines({ name, message, stacks }: SerializedError): string[] {
  const lines = stripVTControlCharacters(`${name ?? "Error"}: ${message}`).split("\n");
  const [place] = stacks ?? [];
  const at = place ? [`at ${place.file}:${place.line}`] : [];
  return [...lines.filter((line) => line.trim() !== "").slice(0, LINES_EACH - at.length), ...at].map(
    (line) => `    ${line.slice(0, MOST_COLUMNS)}`,
  );
}

/** Whole failures first; where not all have room, what the others are called; then how many are left out. */
function inFewLines(failures: readonly (readonly string[])[]): string {
  const lines: string[] = [];
  let left = failures.length;
  for (const [title = "", ...more] of failures) {
    const room = MOST_LINES - lines.length - left;
    if (lines.length >= MOST_LINES) break;
    lines.push(title, ...(more.length <= room ? more : []));
    left -= 1;
  }
  return [...lines, ...(left > 0 ? [`and ${left} more`] : [])].join("\n");
}
