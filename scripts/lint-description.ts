/**
 * Lints `docs/openapi.gen.json` with the rules that Spectral and Redocly recommend for OpenAPI. Fails for an error, a
 * warning or a hint.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import spectral from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

const FILE = "docs/openapi.gen.json";

/** Returns what Spectral finds with `spectral:oas`. */
async function bySpectral(): Promise<string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [[rulesets.oas as never, "recommended"]] });
  const found = await linter.run(JSON.parse(readFileSync(FILE, "utf8")));
  return found.map(({ code, message, path }) => `spectral ${code}: ${message} (${path.join(".")})`);
}

interface RedoclyReport {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly { readonly pointer?: string }[];
  }[];
}

/** Returns what Redocly finds with `recommended`. */
function byRedocly(): string[] {
  const words = ["lint", FILE, "--extends", "recommended", "--format", "json", "--max-problems", "1000"];
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  // It exits with 1 where it finds errors; its report is the same.
  const { stdout, status } = spawnSync(process.execPath, ["node_modules/@redocly/cli/bin/cli.js", ...words], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 2 ** 26,
  });
  if (stdout.length === 0) throw new Error(`redocly ended with ${status} and printed no report`);
  const { problems } = JSON.parse(stdout.toString()) as RedoclyReport;
  return problems.map(
    ({ ruleId, message, location }) => `redocly ${ruleId}: ${message} (${location[0]?.pointer ?? ""})`,
  );
}

const found = [...(await bySpectral()), ...byRedocly()];
for (const line of found) console.error(line);
console.log(`${FILE}: ${found.length} findings of Spectral and Redocly`);
process.exitCode = found.length > 0 ? 1 : 0;
