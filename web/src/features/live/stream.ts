import type { LiveEvent } from "../../../../contract/endpoints/live.ts";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { currentSession, onSessionChange } from "../../api/session.ts";

// One stream for all tabs of this browser: browsers open six connections to a server, and the service few streams to a user.
// The tab that holds the lock reads it, and passes on what it hears. Browsers offer locks on HTTPS and on loopback only:
// elsewhere the pages look for changes themselves.

/** How often a place is told at most, in milliseconds. */
const PLACE_MS = 1_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

type Wants = Readonly<Record<string, string | null>>;

/** What tabs tell each other. */
type Message = { readonly userId: string } & (
  | { readonly to: "leader"; readonly tab: string; readonly wants: Wants; readonly at: number }
  | { readonly to: "all"; readonly event: LiveEvent }
  /** The estimations that the stream follows; none while there is no stream. */
  | { readonly to: "all"; readonly following: readonly string[] }
  | { readonly to: "all"; readonly asks: true }
);

/** What a part of the page does with what is heard about one estimation. */
export interface Follower {
  /** Something was done with it, or the stream has just begun to follow it. */
  changed(event: LiveEvent): void;
  present?(event: LiveEvent): void;
  /** Whether changes are heard of; where not, they have to be looked for. */
  followed?(isFollowed: boolean): void;
}

const tab = crypto.randomUUID();
const channel = new BroadcastChannel("live");
const followers = new Map<string, Set<Follower>>();
const places = new Map<string, string | null>();
/** What was last heard of who is where, for parts of the page, and tabs, that come later. */
const present = new Map<string, LiveEvent>();
let unread: number | null = null;
const readers = new Set<() => void>();
let following: readonly string[] = [];
let lead: ReturnType<typeof startLeading> | undefined;

const me = () => currentSession()?.userId ?? "";

function send(message: Message): void {
  channel.postMessage(message);
  hear(message);
}

/** Tells the leader what this tab follows, and where its reader is. */
const tell = () =>
  send({
    to: "leader",
    userId: me(),
    tab,
    at: Date.now(),
    wants: Object.fromEntries([...followers.keys()].map((id) => [id, places.get(id) ?? null])),
  });

function hear(message: Message): void {
  if (message.userId !== me()) return;
  if (message.to === "leader") lead?.want(message.tab, message.wants, message.at);
  else if ("asks" in message) tell();
  else if ("following" in message) {
    const before = following;
    following = message.following;
    for (const id of present.keys()) if (!following.includes(id)) present.delete(id);
    for (const [id, parts] of followers)
      if (before.includes(id) !== following.includes(id))
        for (const part of parts) part.followed?.(following.includes(id));
  } else {
    const { type, estimationId = "" } = message.event;
    if (type === "notified") {
      unread = message.event.unread ?? 0;
      for (const listener of readers) listener();
    }
    if (type === "present") present.set(estimationId, message.event);
    for (const part of followers.get(estimationId) ?? []) {
      if (type === "present") part.present?.(message.event);
      else part.changed(message.event);
    }
  }
}

/** Hears of an estimation until the returned function is called. */
export function follow(id: string, follower: Follower): () => void {
  const parts = followers.get(id) ?? new Set();
  followers.set(id, parts.add(follower));
  if (following.includes(id)) follower.followed?.(true);
  const known = present.get(id);
  if (known) follower.present?.(known);
  tell();
  return () => {
    parts.delete(follower);
    if (parts.size === 0) followers.delete(id);
    tell();
  };
}

/** Tells the others where in an estimation the reader is. */
export function moveTo(id: string, lineId: string | null): void {
  if (places.get(id) === lineId) return;
  places.set(id, lineId);
  if (followers.has(id)) tell();
}

/** How many notifications are not read; null: that was not heard of yet. */
export const currentUnread = (): number | null => unread;

/** Calls `listener` when it is heard of; returns a function that stops it. */
export function onUnread(listener: () => void): () => void {
  readers.add(listener);
  return () => readers.delete(listener);
}

/** Reads the stream for all tabs of the user who is signed in. */
function startLeading() {
  const wanted = new Map<string, { readonly wants: Wants; readonly at: number }>();
  let streamId: string | null = null;
  let sent = "";
  let sentAt = 0;
  let isTelling = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ending = new AbortController();
  let goOn = () => {};

  const say = (content: { readonly event: LiveEvent } | { readonly following: readonly string[] }) =>
    send({ to: "all", userId: me(), ...content });

  /** All that some tab follows; a place where nobody else is to see it is not told. */
  const sum = () => {
    const all = new Map<string, string | null>();
    for (const { wants } of [...wanted.values()].sort((one, other) => one.at - other.at))
      for (const [id, lineId] of Object.entries(wants)) {
        const isSeen = (present.get(id)?.others ?? 0) > 0;
        all.set(id, isSeen ? (lineId ?? all.get(id) ?? null) : null);
      }
    return [...all].slice(-limits.livePlaces).map(([estimationId, lineId]) => ({ estimationId, lineId }));
  };

  const tellService = async () => {
    clearTimeout(timer);
    const [id, all] = [streamId, sum()];
    const text = JSON.stringify(all);
    if (id === null || text === sent || isTelling) return;
    const isOnlyMove = all.every(({ estimationId }) => sent.includes(estimationId));
    const wait = isOnlyMove ? sentAt + PLACE_MS - Date.now() : 0;
    if (wait > 0) {
      timer = setTimeout(tellService, wait);
      return;
    }
    [sent, sentAt, isTelling] = [text, Date.now(), true];
    try {
      const { data } = await api.setLivePlaces({ params: { streamId: id }, body: { places: all } });
      if (id === streamId) say({ following: data.live.places.map(({ estimationId }) => estimationId) });
    } catch {
      // The stream is opened again, which tells everything anew.
      ending.abort();
    }
    isTelling = false;
    // What was asked for meanwhile: one after the other, so that the last one counts.
    void tellService();
  };

  const take = (event: LiveEvent) => {
    const { type, estimationId = "" } = event;
    if (type === "opened") {
      [streamId, sent] = [event.streamId ?? null, ""];
      send({ to: "all", userId: me(), asks: true });
      return;
    }
    say({ event });
    if (type === "closed") say({ following: following.filter((id) => id !== estimationId) });
    if (type === "present") void tellService();
  };

  const read = async () => {
    for (let pause = FIRST_PAUSE_MS; ; ) {
      const userId = me();
      ending = new AbortController();
      try {
        if (userId === "") throw new Error("nobody is signed in");
        const { stream } = await api.watchLive({ signal: ending.signal });
        for await (const event of stream) {
          if (me() !== userId) break;
          pause = FIRST_PAUSE_MS;
          take(event);
        }
      } catch {
        // Refused, unreachable or interrupted: it is tried again.
      }
      streamId = null;
      if (following.length > 0) say({ following: [] });
      const longest = pause;
      await new Promise<void>((resolve) => {
        goOn = resolve;
        // Not all browsers at once after a restart of the service.
        setTimeout(resolve, longest * (0.5 + Math.random() / 2));
      });
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
  };

  let user = me();
  onSessionChange(() => {
    if (me() === user) return;
    user = me();
    wanted.clear();
    ending.abort();
    goOn();
  });
  addEventListener("online", () => goOn());
  void read();
  return {
    want(from: string, wants: Wants, at: number) {
      if (Object.keys(wants).length === 0) wanted.delete(from);
      else wanted.set(from, { wants, at });
      // A new tab may not have heard yet what is followed, and who is where.
      if (from !== tab) {
        say({ following });
        if (unread !== null) say({ event: { type: "notified", unread } });
        for (const [id, event] of present) if (id in wants) say({ event });
      }
      void tellService();
    },
  };
}

channel.addEventListener("message", ({ data }) => hear(data as Message));
addEventListener("pagehide", () => send({ to: "leader", userId: me(), tab, wants: {}, at: Date.now() }));
addEventListener("pageshow", tell);
let reader = me();
onSessionChange(() => {
  if (me() === reader) return;
  reader = me();
  unread = null;
  for (const listener of readers) listener();
});
tell();
if ("locks" in navigator)
  void navigator.locks.request("live-stream", () => {
    lead = startLeading();
    // As long as this tab lives.
    return new Promise(() => {});
  });
