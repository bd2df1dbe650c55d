import type { Client } from "../../../contract/client/client.ts";
import { ApiError } from "../../../contract/client/client.ts";
import type { Estimation } from "../../../contract/endpoints/estimations.ts";
import type { LiveEvent } from "../../../contract/endpoints/live.ts";
import type { Command, Tools } from "../command.ts";
import { tell } from "../connect.ts";
import { Failure } from "../failure.ts";
import { findEstimation } from "../find.ts";
import { difference, figure } from "../screen/figures.ts";
import { bold, dim } from "../screen/style.ts";
import { cleanAll } from "../screen/text.ts";
import { pause } from "../stop.ts";

export const watch: Command = {
  takes: "ID",
  summary: "Tell what others do with an estimation, as they do it, until Ctrl-C",
  says: "With --json, each event of the service is a line. It connects again by itself, and misses nothing meanwhile.",
  calls: ["watchLive", "setLivePlaces", "getEstimation"],
  flags: [],
  examples: [
    ["estimate watch 'Web shop'", "who did what, and the hours after it"],
    ["estimate watch 'Web shop' --json | while read -r event; do make; done", "does something after each event"],
  ],
  async run([given = ""], _given, tools) {
    const { client } = tools.connect();
    const id = await findEstimation(client, given);
    const { data } = await client.getEstimation({ params: { id } });
    let last = cleanAll(data.estimation);
    if (!tools.json) tools.print(`${bold(last.title)}  revision ${last.revision}, P80 ${figure(last.hours.p80)} h`);
    for (let failures = 0; ; ) {
      try {
        for await (const event of eventsOf(client, id, tools)) {
          failures = 0;
          if (event.estimationId !== id) continue;
          if (tools.json) tools.printJson(event, 0);
          if (event.type === "closed") throw new Failure("the estimation may not be read any more", 4);
          if (event.type === "changed" && !tools.json) last = await tellChange(client, event, last, tools);
        }
      } catch (error) {
        const { lines, exitCode } = tell(error);
        if (exitCode !== 6) throw error;
        if (failures === 0) for (const line of lines) tools.note(line);
        failures += 1;
      }
      tools.stop.signal.throwIfAborted();
      tools.progress("Connecting again");
      await pause(Math.min(30_000, 500 * 2 ** failures), tools.stop.signal);
      tools.progress(null);
    }
  },
};

/** Opens a stream, has it follow the estimation, and yields its events until it ends. */
async function* eventsOf(client: Client, id: string, { stop: { signal } }: Tools): AsyncGenerator<LiveEvent> {
  const { stream } = await client.watchLive({ signal });
  for await (const event of stream) {
    if (event.type === "opened" && event.streamId !== undefined) {
      const places = [{ estimationId: id, lineId: null }];
      const params = { streamId: event.streamId };
      const { data } = await client.setLivePlaces({ params, body: { places }, signal }).catch((error: unknown) => {
        // It is unknown where it has just ended.
        const isOver = error instanceof ApiError && error.status === 404;
        throw isOver ? new Failure("the stream ended at once", 6) : error;
      });
      if (data.live.places.length === 0) throw new Failure("the estimation may not be read any more", 4);
    } else yield event;
  }
}

/** Tells of a change and returns what the estimation is now. */
async function tellChange(client: Client, event: LiveEvent, last: Estimation, { print }: Tools): Promise<Estimation> {
  if (event.revision === last.revision && (event.changes ?? []).length === 0) return last;
  const { data } = await client.getEstimation({ params: { id: last.id } });
  const now = cleanAll(data.estimation);
  const done = cleanAll(event.changes ?? []).map(({ kind, person }) => `${person.name}: ${wordsOf(kind)}`);
  const change = now.hours.p80 - last.hours.p80;
  const hours = `P80 ${figure(now.hours.p80)} h${change === 0 ? "" : ` (${difference(change)})`}`;
  const time = new Date().toTimeString().slice(0, 8);
  print(`${dim(time)}  ${[...new Set(done)].join(", ") || "changed"}  ${dim(`revision ${now.revision},`)} ${hours}`);
  return now;
}

/** `content.edited` becomes `content edited`. */
const wordsOf = (kind: string) => kind.replace(/[._]/g, " ");
