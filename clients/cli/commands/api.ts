import { readFileSync, writeFileSync } from "node:fs";
import { eventsOf, fileNameOf } from "../../../contract/client/client-bodies.ts";
import { type Method, methodsOf } from "../../../contract/endpoint.ts";
import { endpointEntries } from "../../../contract/index.ts";
import type { Command, Tools } from "../command.ts";
import { errorOf } from "../connect.ts";
import { UsageError } from "../failure.ts";
import type { Given } from "../flags.ts";
import { readInput } from "../prompt.ts";
import { columns, dim } from "../screen/style.ts";
import { cleanLines, cut, left } from "../screen/text.ts";

const METHODS: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export const api: Command = {
  takes: "[METHOD] [PATH]",
  summary: "Send any request of the API; without a path, list the requests that there are",
  says: "Prints the data as JSON, a file as it is, and events as lines. PATH may begin with /api or not, and have a query.",
  calls: [],
  flags: [
    { name: "data", field: "data", kind: "text", says: "The body: JSON, @FILE, or - for the standard input" },
    {
      name: "header",
      field: "header",
      kind: "text",
      says: "A further header, such as 'If-Match: \"3\"'; may be repeated",
      multiple: true,
    },
    { name: "paginate", field: "paginate", kind: "switch", says: "Reads all pages of a list, and prints them as one" },
    { name: "output", field: "output", kind: "text", says: "Writes a file there, instead of to the standard output" },
  ],
  examples: [
    ["estimate api tasks", "lists the requests with tasks in their path or summary"],
    ["estimate api GET /estimations --paginate", "all estimations"],
    ['estimate api POST /estimations --data \'{ "title": "Shop" }\'', "makes one"],
    ["estimate api GET '/estimations/ID/export?format=xlsx' --output shop.xlsx", "saves a workbook"],
  ],
  async run([first, given], flags, tools) {
    if (given === undefined) return listRequests(first, tools);
    const method = METHODS.find((method) => method === first?.toUpperCase());
    if (method === undefined) throw new UsageError(`${first} is no method: ${METHODS.join(", ")}`);
    const path = `/${given.replace(/^\/+/, "")}`.replace(/^\/(?!api\/)/, "/api/");
    if (flags.paginate) return await printPages(method, path, flags, tools);
    const response = await send(method, path, flags, tools);
    const type = response.headers.get("content-type") ?? "";
    if (response.status === 304) return tools.note("Not modified");
    if (type.startsWith("text/event-stream")) for await (const event of eventsOf(response)) tools.printJson(event, 0);
    else if (response.headers.has("content-disposition")) await printFile(response, flags, tools);
    else printText(await response.text(), flags, tools);
  },
};

/** Sends a request. Throws the error of a response that is not a success. */
async function send(method: Method, path: string, flags: Given, { connect }: Tools): Promise<Response> {
  const { data, header = [] } = flags as { readonly data?: string; readonly header?: readonly string[] };
  const body = data === undefined ? undefined : await bodyOf(data);
  const headers = new Headers(body === undefined ? {} : { "content-type": "application/json" });
  for (const line of header) {
    const [, name, value] = /^([\w-]+): *(.+)$/.exec(line) ?? [];
    if (name === undefined || value === undefined)
      throw new UsageError(`--header ${line} is not of the form 'Name: value'`);
    headers.set(name, value);
  }
  const response = await connect().request(path, { method, headers, ...(body === undefined ? {} : { body }) });
  if (!response.ok && response.status !== 304) throw await errorOf(response);
  return response;
}

async function bodyOf(given: string): Promise<string> {
  const text = given === "-" ? await readInput() : given.startsWith("@") ? read(given.slice(1)) : given;
  try {
    JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--data is no JSON: ${(error as Error).message}`);
  }
  return text;
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** Prints the data of all pages as those of one. */
async function printPages(method: Method, path: string, flags: Given, tools: Tools): Promise<void> {
  if (method !== "GET") throw new UsageError("--paginate is for GET");
  const all: Record<string, unknown> = {};
  for (let cursor: string | null = null; ; ) {
    const url = new URL(path, "http://service");
    if (cursor !== null) url.searchParams.set("cursor", cursor);
    const response = await send(method, url.pathname + url.search, flags, tools);
    const { data } = JSON.parse(await response.text()) as { readonly data: Readonly<Record<string, unknown>> };
    for (const [name, value] of Object.entries(data)) {
      const before = all[name];
      all[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
    }
    cursor = typeof data.nextCursor === "string" ? data.nextCursor : null;
    if (cursor === null) return tools.printJson(all);
  }
}

function printText(text: string, flags: Given, tools: Tools): void {
  const data = dataOf(text);
  if (typeof flags.output === "string") writeFileSync(flags.output, `${JSON.stringify(data, null, 2)}\n`);
  else if (typeof data === "string") tools.print(cleanLines(data).join("\n"));
  else tools.printJson(data);
}

/** Returns the data of a response, or the whole of what has none. */
function dataOf(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && "data" in parsed ? parsed.data : parsed;
  } catch {
    return text;
  }
}

/** A terminal is shown the text of a file; what is no text is only written to files. */
async function printFile(response: Response, { output }: Given, { note, print }: Tools): Promise<void> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const name = fileNameOf(response.headers);
  if (typeof output === "string") return writeFileSync(output, bytes);
  if (!process.stdout.isTTY) return void process.stdout.write(bytes);
  if (bytes.includes(0)) return note(`${name} is no text: --output FILE writes it, or send the output elsewhere`);
  print(cleanLines(bytes.toString("utf8")).join("\n"));
}

function listRequests(about: string | undefined, { json, print, printJson }: Tools): void {
  const word = about?.toLowerCase() ?? "";
  const rows = endpointEntries.flatMap(([id, endpoint]) => {
    const { path, summary } = endpoint;
    if ("location" in endpoint.response) return [];
    return methodsOf(endpoint).map((method) => ({ id, method, path, summary }));
  });
  const found = rows.filter(({ id, path, summary }) => `${id} ${path} ${summary}`.toLowerCase().includes(word));
  if (found.length === 0) throw new UsageError(`no request has ${about} in its path or summary`);
  if (json) printJson(found);
  else
    for (const { method, path, summary } of found) {
      print(`${left(method, 6)} ${path}`);
      print(dim(`       ${cut(summary, columns() - 7)}`));
    }
}
