import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Runs a program in the folder with additional variables; returns what it prints. */
type Run = (environment: Readonly<Record<string, string>>, program: string, ...words: string[]) => Promise<string>;

/** The pages for other languages, with the language of their programs, and what runs the last of them. */
const PAGES = [
  { page: "python.md", language: "python", program: ["python3", "shop.py"] },
  { page: "go.md", language: "go", program: ["go", "run", "."] },
] as const;

/** What the programs of both pages print. */
const PRINTED = "Shop: 12 hours\nnot_found\n";

const docs = new URL("../../docs/clients/", import.meta.url);

/** Makes an account with a key, as a reader of the pages has one. */
async function makeKey(url: string): Promise<string> {
  const post = async (path: string, token: string, body: object) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/api/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    return ((await response.json()) as { readonly data: Readonly<Record<string, unknown>> }).data;
  };
  const account = { email: `${crypto.randomUUID()}@example.com`, password: "a password of the job" };
  const { token } = await post("auth/register", "", account);
  const scopes = ["estimations:read", "estimations:write"];
  return String((await post("api-keys", String(token), { name: "job", scopes })).plaintext);
}

/**
 * Does what the pages of other languages say: runs their commands, writes their programs, each of which begins with its file's name,
 * and runs the last one. Python 3 with `dateutil`, and Go, have to be installed.
 */
export async function tryLanguages(folder: string, url: string, run: Run): Promise<void> {
  const environment = { ESTIMATION_URL: url, ESTIMATION_KEY: await makeKey(url) };
  for (const { page, language, program } of PAGES) {
    const text = await readFile(new URL(page, docs), "utf8");
    for (const [, kind, block = ""] of text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)) {
      if (kind === "bash") await run(environment, "bash", "-euo", "pipefail", "-c", block);
      const name = /^(?:#|\/\/) (\w+\.\w+)\n/.exec(block)?.[1];
      if (kind === language && name) await writeFile(join(folder, name), block);
    }
    const [command, ...words] = program;
    const printed = (await run(environment, command, ...words)).replace("12.0", "12");
    if (printed !== PRINTED) throw new Error(`the program of ${page} printed:\n${printed}`);
    console.log(`${page}: did its job`);
  }
}
