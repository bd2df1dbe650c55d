import { existsSync } from "node:fs";
import { bodyFormats } from "../../../contract/endpoints/webhooks.ts";
import { subscribableEvents } from "../../../contract/events.ts";
import type { Command, Tools } from "../command.ts";
import { Failure, UsageError } from "../failure.ts";
import { DEFAULT_PORT, listen } from "../listen/listen.ts";

/** The data directory of a service that was started here without settings. */
const DEFAULT_DATA_DIR = "data";

export const listenToWebhooks: Command = {
  takes: "",
  summary: "Receive webhooks on this machine, verify and show them, until Ctrl-C",
  says: "A service sends to https only. One on this machine trusts this program by a file in its data directory. Any other reaches it through a tunnel: --http speaks plain HTTP behind it, and --url is the tunnel's address.\nWith --events a webhook is registered for as long as this runs, so that it can verify what comes. Otherwise paste the webhook's secret, or give it by --secret.",
  calls: ["createWebhook", "deleteWebhook"],
  flags: [
    {
      name: "port",
      field: "port",
      kind: "text",
      says: `Listens there; ${DEFAULT_PORT} by default, 0 chooses a free port`,
    },
    {
      name: "forward",
      field: "forward",
      kind: "text",
      says: "A port or URL that each webhook is sent on to; its response goes back to the service",
    },
    { name: "http", field: "http", kind: "switch", says: "Speaks plain HTTP, for a tunnel or a proxy in front" },
    {
      name: "data-dir",
      field: "dataDir",
      kind: "text",
      says: "Data directory of a service on this machine; by default DATA_DIR, or ./data",
    },
    {
      name: "secret",
      field: "secret",
      kind: "text",
      says: "Secret of a webhook (whsec_…); may be repeated",
      multiple: true,
    },
    { name: "url", field: "url", kind: "text", says: "Address of the tunnel that leads here; goes with --events" },
    {
      name: "body",
      field: "bodyFormat",
      kind: "text",
      values: bodyFormats,
      says: "What the body of the registered webhook is",
    },
    {
      name: "events",
      field: "events",
      kind: "list",
      values: ["all", ...subscribableEvents],
      says: "Registers a webhook for these events, or for all; removed at the end",
    },
  ],
  examples: [
    ["estimate listen --events all", "beside a service that was started in this folder"],
    ["estimate listen --http --url https://abc.tunnel.example --events all", "behind a tunnel"],
    ["estimate listen --events all --forward 4000", "sends each on to a program at port 4000"],
  ],
  async run(_words, given, tools) {
    const { port = DEFAULT_PORT, forward, http, secret = [], events, url } = given as Options;
    if (url !== undefined && events === undefined) throw new UsageError("--url goes with --events");
    await listen({
      ...{ port, forward, secrets: secret, signal: tools.stop.signal },
      dataDir: http ? null : dataDirOf(given as Options),
      ...(tools.json ? { take: (taken) => tools.printJson(taken, 0) } : {}),
      ...(events === undefined ? {} : { meanwhile: registering(given as Options, tools) }),
    });
    tools.stop.signal.throwIfAborted();
  },
};

interface Options {
  readonly port?: string;
  readonly forward?: string;
  readonly http?: boolean;
  readonly dataDir?: string;
  readonly secret?: readonly string[];
  readonly url?: string;
  readonly events?: readonly string[];
  readonly bodyFormat?: "data" | "envelope";
}

function dataDirOf({ dataDir = process.env.DATA_DIR }: Options): string {
  const folder = dataDir ?? DEFAULT_DATA_DIR;
  if (existsSync(folder)) return folder;
  throw new UsageError(
    `there is no data directory of a service at ${folder}: name it by --data-dir, or use --http behind a tunnel`,
  );
}

/** Registers a webhook, and returns how to remove it. */
function registering({ url, events = [], bodyFormat }: Options, { connect, note }: Tools) {
  const { client } = connect();
  return async (own: string, learn: (secret: string) => void) => {
    const wanted = events.includes("all") ? [...subscribableEvents] : events;
    const { data } = await client.createWebhook({
      body: {
        url: url ?? own,
        events: wanted as (typeof subscribableEvents)[number][],
        description: "estimate listen",
        ...(bodyFormat === undefined ? {} : { bodyFormat }),
      },
    });
    const remove = async (): Promise<void> => {
      await client.deleteWebhook({ params: { id: data.webhook.id } }).catch((error: unknown) => {
        note(`The webhook is still registered: estimate api DELETE /api/webhooks/${data.webhook.id}`);
        throw error;
      });
      note(`Removed ${data.webhook.id}`);
    };
    try {
      // Only the first response has the secret: where that was lost, the one to the same request sent again has none.
      if (!("secret" in data))
        throw new Failure("the response with the secret of the webhook was lost: begin again", 6);
      learn(data.secret);
    } catch (error) {
      await remove();
      throw error;
    }
    note(`Registered ${data.webhook.url} as ${data.webhook.id}`);
    return remove;
  };
}
