/**
 * Uploads with Node's own clients, in a separate process as real clients are. Arguments: client, address, credential,
 * bytes, tries. Prints the statuses, or errors in their place, as a JSON list.
 */
import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";

const [client = "", url = "", token = "", bytes = "0", tries = "0"] = process.argv.slice(2);
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
const body = Buffer.alloc(Number(bytes), " ");

async function byHttp(): Promise<number> {
  const sent = request(url, { method: "PUT", headers });
  const responded = once(sent, "response");
  // After the response has arrived, it does not matter how the rest of the upload ends.
  responded.then(() => sent.on("error", () => {})).catch(() => {});
  sent.end(body);
  const [response] = await responded;
  await text(response);
  return response.statusCode;
}

const uploads: Record<string, () => Promise<number>> = {
  fetch: async () => (await fetch(url, { method: "PUT", body, headers })).status,
  http: byHttp,
};

const seen: unknown[] = [];
for (let at = 0; at < Number(tries); at += 1) seen.push(await uploads[client]?.().catch(String));
console.log(JSON.stringify(seen));
process.exit(0);
