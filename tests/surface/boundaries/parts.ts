import { files, folders } from "./files.ts";

/** The part of the repository that a file or a package belongs to. */
export function partOf(path: string): string {
  const [top = "", second = "", third] = path.split("/");
  if (path.startsWith("node:")) return "node";
  if (path.startsWith("clients/cli/")) return "command line";
  if (top === "server") {
    if (second === "features") return `feature ${third}`;
    return second.endsWith(".ts") || second === "services" ? "server's root" : second;
  }
  if (folders.includes(top)) return top;
  return files.includes(path) ? "root" : "package";
}

/** What each part may import beside its own files. "server" stands for all of it, a path for one file or the files below a folder. */
export const MAY: Readonly<Record<string, readonly string[]>> = {
  contract: ["typebox"],
  domain: [
    "contract",
    "temporal-polyfill",
    "marked",
    "decode-named-character-reference",
    "micromark",
    "micromark-extension-gfm",
  ],
  platform: ["contract", "package", "node"],
  db: ["contract", "platform", "package", "node"],
  jobs: ["contract", "platform", "db", "package", "node"],
  // Made from the contract; what runs them is elsewhere.
  clients: ["contract"],
  // Runs on machines of those who use the service, and knows of it what the contract says.
  "command line": ["contract", "domain", "selfsigned", "node"],
  http: ["clients", "contract", "domain", "platform", "db", "package", "node"],
  feature: ["contract", "domain", "platform", "db", "jobs", "http", "package", "node"],
  pages: ["contract", "http", "platform", "server/services/index.ts", "package", "node"],
  commands: ["contract", "platform", "db", "pages", "server/app.ts", "package", "node"],
  "server's root": ["contract", "domain", "server", "package", "node"],
  // Runs in browsers.
  web: ["contract", "domain", "package"],
  // Receivers install it without anything else.
  receiver: ["node"],
  // Does what a user does, over HTTP.
  tour: ["contract", "command line", "server/platform/clock.ts", "server/config.ts", "package", "node"],
  scripts: ["contract", "domain", "server", "domain/tree/testing/", "package", "node"],
  bench: ["contract", "domain", "server", "tests/support/", "package", "node"],
  tests: [
    "clients",
    "command line",
    "contract",
    "domain",
    "server",
    "receiver",
    "tour",
    "scripts",
    "web/src/api/keys.ts",
    "package",
    "node",
  ],
  root: ["server", "tests/slow-first.ts", "tests/long-tests.ts", "tests/support/", "package", "node"],
};

/** What the tests of a part may import in addition. */
export const TESTS_MAY: Readonly<Record<string, readonly string[]>> = {
  contract: ["package", "node"],
  domain: ["package", "node", "tests/support/runs.ts"],
  "command line": ["package"],
  server: ["contract", "domain", "server", "tests/harness.ts", "tests/fake-clock.ts", "tests/support/"],
  receiver: [
    "contract",
    "server/features/webhooks/",
    "server/platform/webhook-signature.ts",
    "scripts/receiver-events.ts",
    "package",
  ],
};

/** Files of the server's root that every part of it may read. */
export const SHARED = ["server/services/index.ts", "server/config.ts"];

/** One feature uses another only along these arrows, and only through its `index.ts`. */
export const ARROWS = [
  "admin → api-keys",
  "admin → audit-log",
  "admin → auth",
  "admin → teams",
  "admin → webhooks",
  "activity → auth",
  "activity → estimations",
  "activity → versions",
  "api-keys → audit-log",
  "api-keys → auth",
  "auth → audit-log",
  "estimations → auth",
  "estimations → teams",
  "estimations → webhooks",
  "client-links → auth",
  "client-links → estimations",
  "client-links → versions",
  "connections → audit-log",
  "connections → auth",
  "exports → auth",
  "exports → connections",
  "exports → estimations",
  "exports → ledger",
  "exports → states",
  "exports → tasks",
  "google-sign-in → auth",
  "google-sign-in → audit-log",
  "decision-trees → estimations",
  "import-export → estimations",
  "ledger → estimations",
  "live → estimations",
  "notifications → auth",
  "preferences → auth",
  "notifications → estimations",
  "exports → notifications",
  "live → notifications",
  "reviews → notifications",
  "shares → notifications",
  "reviews → auth",
  "reviews → estimations",
  "reviews → rounds",
  "reviews → shares",
  "rounds → auth",
  "rounds → estimations",
  "rounds → notifications",
  "rounds → shares",
  "rounds → tasks",
  "rounds → versions",
  "reviews → teams",
  "reviews → versions",
  "shares → api-keys",
  "shares → audit-log",
  "shares → auth",
  "shares → connections",
  "shares → estimations",
  "shares → teams",
  "shares → versions",
  "shares → webhooks",
  "states → estimations",
  "states → versions",
  "suggestions → auth",
  "suggestions → estimations",
  "suggestions → rounds",
  "suggestions → tasks",
  "suggestions → teams",
  "tasks → estimations",
  "tasks → ledger",
  "tasks → states",
  "tasks → versions",
  "teams → audit-log",
  "teams → auth",
  "templates → audit-log",
  "templates → auth",
  "templates → estimations",
  "templates → teams",
  "templates → versions",
  "timeline → estimations",
  "timeline → tasks",
  "threads → auth",
  "threads → estimations",
  "threads → notifications",
  "threads → tasks",
  "threads → versions",
  "versions → auth",
  "versions → estimations",
  "webhooks → auth",
];

/** Tests that import files of other parts, each with the reason. */
export const EXCEPTIONS = [
  // Atlassian's own schema judges the documents.
  "domain/exports/jira/jira.property.test.ts → tests/support/jira/description.ts",
  // The bench and the test judge times in the same way.
  "server/features/auth/enumeration.test.ts → bench/sign-in/rank-test.ts",
  // The test compares the list with what would be generated.
  "server/features/auth/password-policy.test.ts → scripts/common-passwords.ts",
  // The bench measures the tree that the tests check.
  "tests/surface/large-trees.test.ts → bench/big-tree.ts",
  "tests/surface/large-replays.test.ts → bench/big-tree.ts",
];
