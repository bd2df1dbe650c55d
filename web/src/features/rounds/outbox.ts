import type { ThreePoint } from "../../../../domain/tree/shape.ts";
import { hasResponse, isRefusal } from "../../api/failure.ts";
import { keptName } from "../../api/kept-texts.ts";
import { pauseAfter } from "../trees/sync/pause.ts";

/** What somebody said of an option; no hours: that they cannot judge it. */
export interface Given {
  readonly optionId: string;
  readonly hours: ThreePoint | null;
  readonly note: string | null;
}

/** An answer that waits, with when it was given, in milliseconds: of two for an option, from two tabs, the later counts. */
interface Waiting extends Given {
  readonly at: number;
}

export interface OutboxState {
  /** What the service may not have, by option. */
  readonly unsent: ReadonlyMap<string, Waiting>;
  /** Which of it the service refused, and why. It is not sent again by itself. */
  readonly refused: ReadonlyMap<string, { readonly at: number; readonly error: unknown }>;
  readonly at: "idle" | "sending" | "waiting";
  /** Why it waits; null where it does not. */
  readonly error: unknown;
}

/** Where what is not sent waits, one text for each option: it outlives the tab, and other tabs have the same. */
interface Store {
  readonly read: () => readonly string[];
  /** Returns whether it was kept; an empty text removes it. */
  readonly write: (optionId: string, text: string) => boolean;
}

/** Sends answers, all in as few requests as there can be; the first that fails ends it. */
type Send = (given: readonly Given[]) => Promise<void>;

/** How long it waits until it tries again where nothing says how long, in milliseconds. */
const PAUSE_MS = 30_000;
/** No word about an answer: signed out, too slow, too many. */
const PASSING = [401, 408, 429];
/** About the round, not about one of the answers. */
const OF_ALL = [403, 404];

/** The answers of one person in one round on their way to the service: each is kept in this browser until it is there. */
export class Outbox {
  private state: OutboxState = { unsent: new Map(), refused: new Map(), at: "idle", error: null };
  private readonly listeners = new Set<() => void>();
  /** What could not be stored: it is lost when the page is left. */
  private readonly unstored = new Map<string, Waiting>();
  private failures = 0;
  private readonly store: Store;
  private readonly send: Send;
  private readonly after: (ms: number, run: () => void) => void;

  constructor(store: Store, send: Send, after: (ms: number, run: () => void) => void) {
    this.store = store;
    this.send = send;
    this.after = after;
    this.reread();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  current = (): OutboxState => this.state;

  /** Whether leaving the page could lose an answer. */
  isAtRisk = (): boolean => this.state.at === "sending" || this.unstored.size > 0;

  /** Takes an answer, in place of one that is not sent yet, and sends it. */
  put(given: Given): void {
    const { optionId, hours, note } = given;
    const at = Math.max(Date.now(), (this.state.unsent.get(optionId)?.at ?? 0) + 1);
    const one = { optionId, hours, note, at };
    if (this.store.write(optionId, JSON.stringify(one))) this.unstored.delete(optionId);
    else this.unstored.set(optionId, one);
    this.reread();
    // The service may have said how long to wait.
    if (this.state.at !== "waiting") void this.flush();
  }

  /** Gives up what was refused. */
  drop(): void {
    for (const optionId of this.state.refused.keys()) {
      const one = this.state.unsent.get(optionId);
      if (one) this.remove(one);
    }
    this.reread();
  }

  /** Sends what waits. What is said meanwhile follows. */
  async flush(): Promise<void> {
    if (this.state.at === "sending") return;
    this.reread();
    const given = [...this.state.unsent.values()].filter(({ optionId }) => !this.state.refused.has(optionId));
    if (given.length === 0) return this.show({ at: "idle", error: null });
    this.show({ at: "sending", error: null });
    try {
      await this.deliver(given);
      this.failures = 0;
      this.show({ at: "idle" });
      await this.flush();
    } catch (error) {
      this.failures += 1;
      const { failures } = this;
      this.show({ at: "waiting", error });
      // Unless it was tried again meanwhile.
      this.after(pauseAfter(error, failures) ?? PAUSE_MS, () => failures === this.failures && void this.flush());
    }
  }

  /** Looks at what waits now: another tab may have sent some of it, or have a later answer. */
  reread(): void {
    const unsent = this.stored();
    for (const one of this.unstored.values())
      if (one.at > (unsent.get(one.optionId)?.at ?? 0)) unsent.set(one.optionId, one);
    const refused = new Map([...this.state.refused].filter(([optionId, { at }]) => unsent.get(optionId)?.at === at));
    this.show({ unsent, refused });
  }

  /** Sends answers together; where that is refused, one by one, so that only those stay that are refused themselves. */
  private async deliver(given: readonly Waiting[]): Promise<void> {
    try {
      await this.send(given);
      for (const one of given) this.remove(one);
    } catch (error) {
      if (!hasResponse(error) || error.status >= 500 || PASSING.includes(error.status)) throw error;
      if (given.length > 1 && !OF_ALL.includes(error.status) && !isRefusal(error, "round_not_open")) {
        for (const one of given) await this.deliver([one]);
        return;
      }
      const refused = new Map(this.state.refused);
      for (const { optionId, at } of given) refused.set(optionId, { at, error });
      this.show({ refused });
    }
    this.reread();
  }

  /** Removes an answer, but not a later one for the same option. */
  private remove({ optionId, at }: Waiting): void {
    if ((this.unstored.get(optionId)?.at ?? 0) <= at) this.unstored.delete(optionId);
    if ((this.stored().get(optionId)?.at ?? 0) <= at) this.store.write(optionId, "");
  }

  private stored(): Map<string, Waiting> {
    const all = this.store.read().flatMap(readWaiting);
    return new Map(all.sort((one, other) => one.at - other.at).map((one) => [one.optionId, one]));
  }

  private show(changes: Partial<OutboxState>): void {
    this.state = { ...this.state, ...changes };
    for (const listener of this.listeners) listener();
  }
}

function readWaiting(text: string): readonly Waiting[] {
  try {
    return [JSON.parse(text) as Waiting];
  } catch {
    return [];
  }
}

const prefixOf = (userId: string, roundId: string): string => keptName(userId, `round-unsent ${roundId} `);

/** Where the answers of a user in a round wait. They go when the user signs out. */
export function browserStore(userId: string, roundId: string): Store {
  const prefix = prefixOf(userId, roundId);
  return {
    read() {
      try {
        const names = Object.keys(localStorage).filter((name) => name.startsWith(prefix));
        return names.map((name) => localStorage.getItem(name) ?? "");
      } catch {
        return [];
      }
    },
    write(optionId, text) {
      try {
        if (text === "") localStorage.removeItem(prefix + optionId);
        else localStorage.setItem(prefix + optionId, text);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Calls `listener` when another tab keeps (`isGone`: false) or removes an answer of a user in a round; returns what ends it. */
export function onOtherTabs(userId: string, roundId: string, listener: (isGone: boolean) => void): () => void {
  const hear = ({ key, newValue }: StorageEvent) =>
    key?.startsWith(prefixOf(userId, roundId)) && listener(newValue === null);
  addEventListener("storage", hear);
  return () => removeEventListener("storage", hear);
}
