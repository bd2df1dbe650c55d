import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Writes tests/support/jira/description.gen.json: what a current client of Jira Cloud says about the operations that
 * exports use (methods, paths, parameters, shapes), and Atlassian's own schema of its document format. Needs the npm
 * registry. The client has 38 MB and 8,000 files, of which this needs 12 functions: so it is not installed with the
 * other packages.
 */
const CLIENT = "jira.js@6.2.0";
const FORMAT = "@atlaskit/adf-schema@57.7.22";
const TARGET = join(import.meta.dirname, "../tests/support/jira/description.gen.json");

/** The client's file of each operation, its function, and its name for the parameters and the response. */
const OPERATIONS = [
  ["myself", "getCurrentUser", null],
  ["serverInfo", "getServerInfo", null],
  ["permissions", "getMyPermissions", null],
  ["projects", "searchProjects", null],
  ["projects", "getProject", null],
  ["issues", "getCreateIssueMetaIssueTypes", null],
  ["issues", "getCreateIssueMetaIssueTypeId", null],
  ["issues", "createIssues", "createIssues"],
  ["issues", "bulkFetchIssues", "bulkFetchIssues"],
  ["issues", "editIssue", "editIssue"],
  ["issueSearch", "searchAndReconsileIssuesUsingJqlPost", "searchAndReconsileIssuesUsingJqlPost"],
  ["issueWorklogs", "getIssueWorklog", null],
  ["issues", "getTransitions", null],
  ["issues", "doTransition", "doTransition"],
  ["issueComments", "getComments", null],
  ["issueComments", "addComment", "addComment"],
] as const;

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly searchParams?: object;
  readonly body?: object;
  readonly schema?: unknown;
}

const folder = mkdtempSync(join(tmpdir(), "jira-description-"));
try {
  const npm = (...args: string[]) => execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  npm("install", "--prefix", folder, "--no-package-lock", "--no-audit", "--ignore-scripts", CLIENT);
  const packed = npm("pack", "--silent", FORMAT).toString().trim().split("\n").at(-1) ?? "";
  execFileSync("tar", ["xzf", packed], { cwd: folder });
  const load = (path: string) => import(pathToFileURL(join(folder, "node_modules", path)).href);
  const { z } = await load("zod/index.js");
  const schemaOf = (schema: unknown) =>
    schema === undefined
      ? null
      : z.toJSONSchema(schema, { io: "input", unrepresentable: "any", target: "draft-7", reused: "ref" });
  // Every parameter is its own name, so that what the client sends shows where each goes; a comment's body is a document.
  const named = new Proxy({}, { get: (_, name) => (name === "body" ? {} : `{${String(name)}}`) });
  const operations: Record<string, unknown> = {};
  for (const [file, name, parameters] of OPERATIONS) {
    const api = await load(`jira.js/dist/cloud/api/${file}.js`);
    let sent: Sent | undefined;
    const sendRequest = async (request: Sent) => {
      sent = request;
    };
    await api[name]({ sendRequest }, named);
    if (!sent) throw new Error(`${name} sends nothing.`);
    const shapes = parameters === null ? {} : await load(`jira.js/dist/cloud/parameters/${parameters}.js`);
    operations[`${sent.method} ${sent.url}`] = {
      query: Object.keys(sent.searchParams ?? {}),
      body: Object.keys(sent.body ?? {}),
      request: schemaOf(Object.values(shapes)[0]),
      response: schemaOf(sent.schema),
    };
  }
  const document = JSON.parse(readFileSync(join(folder, "package/dist/json-schema/v1/full.json"), "utf8"));
  const sources = { operations: `${CLIENT} (MIT)`, document: `${FORMAT} (Apache-2.0)` };
  writeFileSync(TARGET, `${JSON.stringify({ sources, operations, document })}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
