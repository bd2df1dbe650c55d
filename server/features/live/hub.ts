import type { LiveEvent } from "../../../contract/endpoints/live.ts";
import { limits } from "../../../contract/limits.ts";
import type { ActivityKind } from "../../../contract/values/activity-kinds.ts";
import type { Listener } from "../../db/listen-store.ts";
import { fail } from "../../http/failure.ts";
import { every, pause, systemClock } from "../../platform/clock.ts";
import type { Services } from "../../services/index.ts";
import {
  type Follower,
  followersOf,
  insertStream,
  LIVE_CHANNEL,
  namesOf,
  placesOf,
  readNews,
  removePlace,
  removeStaleStreams,
  removeStream,
  renewStreams,
} from "../estimations/index.ts";
import { countUnread } from "../notifications/index.ts";
import { LiveStream } from "./live-stream.ts";
import { OpenStreams } from "./open-streams.ts";
import { type Present, presenceOf } from "./presence.ts";

/** How often streams are renewed, and the access of their users is checked without any news, in milliseconds. */
const RENEW_MS = 15_000;
/** News within this time, in milliseconds, are looked up and shown together. */
const GATHER_MS = 100;
const RETRY_MS = 1_000;
/** So many estimations or streams are looked up by one query, so that other work gets its turn. */
const AT_ONCE = 500;

/** What somebody did; or the id of a round that has other answers. */
type Deed = { readonly kind: ActivityKind; readonly personId: string } | { readonly roundId: string };

const roundOf = (deed: Deed): string | null => ("roundId" in deed ? deed.roundId : null);

interface Opening {
  readonly userId: string;
  readonly isPerson: boolean;
  readonly signal: AbortSignal;
  /** After so many seconds it ends; 0: after the first event. */
  readonly seconds: number;
}

/** The open streams of this process. */
export interface Hub {
  /** Refuses (429) where the user has as many as allowed open, in all processes. */
  open(opening: Opening): Promise<AsyncGenerator<LiveEvent>>;
  /** Waits until it is stored that its streams have ended. */
  stop(): Promise<void>;
}

/**
 * Hears what all processes tell, and passes it on to the streams that are open here. What a stream says about an estimation is
 * looked up together with the access that its user has at that moment, so that it says nothing to whoever has lost it.
 */
export function createHub({ clock, ids, log, pool }: Services, listener: Listener): Hub {
  const streams = new OpenStreams();
  /** Estimations to look up, with what was done with each. */
  let news = new Map<string, Deed[]>();
  /** Streams whose places are to be read again. */
  let moved = new Set<string>();
  /** Users whose unread notifications are to be counted. */
  let notified = new Set<string>();
  let isWorking = false;
  let isOver = false;
  let endHearing: (() => void) | undefined;
  let endRenewing = () => {};
  const closing = new Set<Promise<void>>();

  const note = (id: string, ...deeds: Deed[]): void => {
    const rounds = new Set(deeds.map(roundOf));
    // Of a round one is enough: many may answer at the same time.
    const others = (news.get(id) ?? []).filter((deed) => roundOf(deed) === null || !rounds.has(roundOf(deed)));
    news.set(id, [...others, ...deeds].slice(-limits.liveChanges));
    void work();
  };
  const noteAll = (): void => {
    for (const id of streams.followed) news.set(id, news.get(id) ?? []);
    void work();
  };

  const hear = (payload: string): void => {
    const told = readNews(payload);
    if (told?.about === "notified") noteUser(told.id);
    else if (told?.about === "places" && streams.get(told.id)) {
      moved.add(told.id);
      void work();
    } else if (told && told.about !== "places" && streams.following(told.id).size > 0) {
      note(told.id, ...(told.about === "present" ? [] : [told]));
    }
  };
  const noteUser = (id: string): void => {
    if (streams.of(id).size === 0) return;
    notified.add(id);
    void work();
  };
  /** What was told meanwhile is lost: looks everything up, and makes the readers read again. */
  const missed = (): void => {
    // What changes no revision can only be read again.
    streams.forgetTold();
    for (const userId of streams.people) notified.add(userId);
    for (const id of streams.ids) moved.add(id);
    noteAll();
  };

  /** Looks up all that is noted, one time after the other. */
  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    while (!isOver && (news.size > 0 || moved.size > 0 || notified.size > 0)) {
      const [lookedUp, read, counted] = [news, moved, notified];
      [news, moved, notified] = [new Map(), new Set(), new Set()];
      try {
        await readPlaces([...read]);
        await lookUp(lookedUp);
        await tellUnread([...counted]);
      } catch (error) {
        log.warn({ err: error }, "what streams show could not be looked up; this is tried again");
        for (const [id, deeds] of lookedUp)
          news.set(id, [...deeds, ...(news.get(id) ?? [])].slice(-limits.liveChanges));
        for (const id of read) moved.add(id);
        for (const id of counted) notified.add(id);
        await pause(systemClock, RETRY_MS);
      }
      await pause(systemClock, GATHER_MS);
    }
    isWorking = false;
  }

  async function readPlaces(streamIds: readonly string[]): Promise<void> {
    for (const some of inParts(streamIds))
      for (const [streamId, places] of await placesOf(pool, some)) {
        const stream = streams.get(streamId);
        if (!stream) continue;
        const wanted = new Set(places);
        for (const id of stream.followed.keys()) if (!wanted.has(id)) streams.unfollow(stream, id);
        for (const id of wanted) if (streams.follow(stream, id)) news.set(id, news.get(id) ?? []);
      }
  }

  async function lookUp(noted: ReadonlyMap<string, readonly Deed[]>): Promise<void> {
    for (const some of inParts([...noted])) {
      const ids = some.map(([id]) => id);
      const followers = Map.groupBy(await followersOf(pool, ids), ({ estimationId }) => estimationId);
      const doers = new Set(
        some.flatMap(([, deeds]) => deeds.flatMap((deed) => ("kind" in deed ? [deed.personId] : []))),
      );
      const names = await namesOf(pool, [...doers]);
      for (const [id, deeds] of some) {
        const there = followers.get(id) ?? [];
        const own = new Map(there.map((follower) => [follower.streamId, follower]));
        const seenBy = presenceOf(there);
        const changes = deeds.flatMap((deed) =>
          "kind" in deed
            ? [{ kind: deed.kind, person: { id: deed.personId, name: names.get(deed.personId) ?? "" } }]
            : [],
        );
        const roundIds = new Set(deeds.flatMap((deed) => ("roundId" in deed ? [deed.roundId] : [])));
        for (const stream of [...streams.following(id)]) {
          const follower = own.get(stream.id);
          // Otherwise it has moved meanwhile: its places are read again.
          if (!follower) continue;
          show(stream, follower, changes, seenBy);
          if (follower.level === null || !stream.isPerson) continue;
          for (const roundId of roundIds) stream.push({ type: "answered", estimationId: id, roundId });
        }
      }
    }
  }

  async function tellUnread(userIds: readonly string[]): Promise<void> {
    for (const some of inParts(userIds))
      for (const [userId, unread] of await countUnread(pool, some))
        for (const stream of streams.of(userId)) stream.push({ type: "notified", unread });
  }

  /** Tells a stream what is new to it about an estimation. */
  function show(
    stream: LiveStream,
    { estimationId, level, revision, ...rest }: Follower,
    changes: NonNullable<LiveEvent["changes"]>,
    seenBy: (own: Follower) => Present,
  ): void {
    const followed = stream.followed.get(estimationId);
    if (!followed) return;
    if (level === null) {
      streams.unfollow(stream, estimationId);
      stream.push({ type: "closed", estimationId });
      removePlace(pool, stream.id, estimationId).catch(() => {});
      return;
    }
    const isFirst = followed.revision === null;
    if (isFirst || changes.length > 0 || followed.revision !== revision) {
      // Empty: there may be more than is known here.
      stream.push({ type: "changed", estimationId, revision, changes: isFirst ? [] : changes });
      followed.revision = revision;
    }
    if (!stream.isPerson) return;
    const { present, text } = seenBy({ estimationId, level, revision, ...rest });
    if (text !== followed.present) stream.push({ type: "present", estimationId, ...present });
    followed.present = text;
  }

  async function renew(): Promise<void> {
    try {
      // Those that are opened meanwhile are not looked for.
      const open = streams.ids;
      const renewed = await renewStreams(pool, open);
      // Afterwards: this process may have slept itself.
      await removeStaleStreams(pool);
      // Removed while this process slept, or with its user: its reader opens another one.
      for (const id of open) if (!renewed.has(id)) streams.get(id)?.end();
      // In case news of places were lost.
      for (const id of open) moved.add(id);
      noteAll();
    } catch (error) {
      log.warn({ err: error }, "open streams could not be renewed");
    }
  }

  async function close(stream: LiveStream): Promise<void> {
    streams.remove(stream);
    if (streams.size === 0) endRenewing();
    // Without a database it is removed once nobody renews it.
    await removeStream(pool, stream.id).catch(() => {});
  }

  /** The events of a stream that is stored. If nobody begins to read them, nobody renews it either. */
  async function* eventsOf(stream: LiveStream, { userId, signal, seconds }: Opening): AsyncGenerator<LiveEvent> {
    endHearing ??= listener.on(LIVE_CHANNEL, hear, missed);
    if (streams.size === 0) endRenewing = every(clock, RENEW_MS, renew);
    streams.add(stream);
    stream.push({ type: "opened", streamId: stream.id });
    const cancel = clock.after(seconds * 1_000, () => stream.end());
    if (seconds === 0) stream.end();
    else noteUser(userId);
    try {
      yield* stream.events(signal);
    } finally {
      cancel();
      const closed = close(stream).finally(() => closing.delete(closed));
      closing.add(closed);
    }
  }

  return {
    async open(opening) {
      const { userId, isPerson } = opening;
      const stream = new LiveStream(ids.next("stream"), { userId, isPerson });
      const isStored = await insertStream(pool, { id: stream.id, userId, isPerson }, limits.streamsPerUser);
      if (!isStored) fail("rate_limited", { headers: { "retry-after": "1" } });
      return eventsOf(stream, opening);
    },

    async stop() {
      isOver = true;
      endRenewing();
      endHearing?.();
      await Promise.all(closing);
    },
  };
}

/** Splits what is to be looked up. */
const inParts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, part) => all.slice(part * AT_ONCE, (part + 1) * AT_ONCE));
