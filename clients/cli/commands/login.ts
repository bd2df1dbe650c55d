import type { Command } from "../command.ts";
import {
  accessOf,
  configFolder,
  DEFAULT_URL,
  isUnprotected,
  readStored,
  removeAccess,
  storeAccess,
  urlOf,
} from "../config.ts";
import { connect } from "../connect.ts";
import { Failure } from "../failure.ts";
import { ask, isAnswered, readInput } from "../prompt.ts";
import { cleanAll } from "../screen/text.ts";

export const login: Command = {
  takes: "[ADDRESS]",
  summary: "Store the address of the service and an API key, after trying them",
  says: "Asks for what is missing; without a terminal, the key is the standard input. Make a key in the web application, under Profile, API keys. It is stored in the system's folder for configurations, readable by you only, and is sent to this address only.",
  calls: ["getCurrentUser"],
  flags: [],
  examples: [
    ["estimate login", "asks for address and key"],
    ["estimate login https://estimates.example.com < key.txt", "takes the key from a file"],
    ["ESTIMATE_TOKEN=svc_live_… estimate list", "works without being stored, as in CI"],
  ],
  async run([given], _given, { stop: { signal }, json, note, progress, print, printJson }) {
    const url = urlOf(given ?? process.env.ESTIMATE_URL ?? (await askForAddress(signal)));
    if (isUnprotected(url)) note(`${url} is not https: the key crosses the network unprotected`);
    const where = `API key (from ${url}/profile/api-keys): `;
    const written = isAnswered() ? await ask(where, { signal, hidden: true }) : await readInput();
    const key = written.trim();
    if (key === "") throw new Failure("no key was given", 3);
    const { data } = await connect({ signal, note, progress }, { url, key }).client.getCurrentUser();
    const file = storeAccess({ url, key });
    if (json) return printJson(data);
    const { user, apiKey } = cleanAll(data);
    print(`Signed in to ${url} as ${user.name} (${user.email}).`);
    if (apiKey) print(`The key may: ${apiKey.scopes.join(", ") || "nothing"}.`);
    else print("That is the token of a session, which ends soon: an API key lasts.");
    print(`Stored in ${file}.`);
  },
};

/** Offers what was stored before. */
async function askForAddress(signal: AbortSignal): Promise<string> {
  const known = storedUrl() ?? DEFAULT_URL;
  if (!isAnswered()) return known;
  return (await ask(`Address of the service [${known}]: `, { signal })) || known;
}

/** A file that cannot be used is about to be replaced. */
function storedUrl(): string | undefined {
  try {
    return readStored()?.url;
  } catch {
    return undefined;
  }
}

export const logout: Command = {
  takes: "",
  summary: "Remove the stored address and key",
  says: "The key itself stays valid: revoke it in the web application, under Profile, API keys, if nobody needs it.",
  calls: [],
  flags: [],
  examples: [["estimate logout", "forgets the key"]],
  async run(_words, _given, { json, print, printJson }) {
    const removed = removeAccess();
    if (json) return printJson({ removed });
    print(removed ? `Removed from ${configFolder()}.` : "There was nothing stored.");
    if (process.env.ESTIMATE_TOKEN) print(`ESTIMATE_TOKEN still names a key for ${accessOf().url}.`);
  },
};
