import pg from "pg";
import type { Logger } from "pino";
import { type Clock, every, sleep, systemClock } from "../platform/clock.ts";

const RECONNECT_MS = 1_000;
/**
 * How often the connection is tried, in milliseconds: one that was cut without a word, by a firewall or a machine that is gone,
 * would stay silent for hours.
 */
const TRY_MS = 15_000;
const ANSWER_MS = 10_000;

/** Hears what processes tell each other with `pg_notify`, all channels on one connection. */
export interface Listener {
  /**
   * Calls `hear` with what is told on a channel, and `missed` whenever something may have been missed: at the beginning, and
   * after each interruption. Returns how to end that. `channel` is a constant of the program.
   */
  on(channel: string, hear: (payload: string) => void, missed: () => void): () => void;
  stop(): Promise<void>;
}

interface Heard {
  readonly channel: string;
  readonly hear: (payload: string) => void;
  readonly missed: () => void;
}

/** For programs that answer no requests and do no jobs. */
export const deaf: Listener = { on: () => () => {}, stop: async () => {} };

/** Connects once something is to be heard, and then stays connected, through restarts of the database. */
export function createListener(connection: pg.PoolConfig, log: Logger, clock: Clock = systemClock): Listener {
  const all = new Set<Heard>();
  let client: pg.Client | undefined;
  let listening: Promise<void> | undefined;
  let isConnected = false;
  let isOver = false;

  const listenTo = async (to: pg.Client, channels: readonly string[]): Promise<void> => {
    for (const channel of channels) await to.query(`listen ${pg.escapeIdentifier(channel)}`);
  };
  const hear = async (): Promise<void> => {
    while (!isOver) {
      const ended = Promise.withResolvers<void>();
      const own = new pg.Client({ ...connection, keepAlive: true });
      client = own;
      own.on("error", (error) => log.debug({ err: error }, "the connection that hears of news broke"));
      own.on("end", ended.resolve);
      own.on("notification", ({ channel, payload = "" }) => {
        for (const heard of all) if (heard.channel === channel) heard.hear(payload);
      });
      let endTrying = () => {};
      try {
        await own.connect();
        const known = [...all];
        await listenTo(own, [...new Set(known.map(({ channel }) => channel))]);
        isConnected = true;
        for (const { missed } of known) missed();
        for (const later of all) if (!known.includes(later)) begin(later);
        endTrying = every(clock, TRY_MS, () => tryOnce(own));
        await ended.promise;
      } catch (error) {
        log.debug({ err: error }, "news are not heard of; they are looked for from time to time");
        await own.end().catch(() => {});
      }
      endTrying();
      isConnected = false;
      if (!isOver) await sleep(RECONNECT_MS);
    }
  };
  /** Ends a connection that does not answer. */
  const tryOnce = async (own: pg.Client): Promise<void> => {
    const cancel = clock.after(ANSWER_MS, () => {
      log.debug("the connection that hears of news does not answer");
      void own.end().catch(() => {});
    });
    await own.query("select 1 as listening").catch(() => {});
    cancel();
  };
  const begin = (heard: Heard): void => {
    if (!client || !isConnected) return;
    // A connection that breaks is made anew, with this channel.
    listenTo(client, [heard.channel]).then(heard.missed, () => {});
  };
  return {
    on(channel, hears, missed) {
      const heard = { channel, hear: hears, missed };
      all.add(heard);
      listening ??= hear();
      begin(heard);
      return () => all.delete(heard);
    },
    async stop() {
      isOver = true;
      await client?.end().catch(() => {});
      await listening;
    },
  };
}
