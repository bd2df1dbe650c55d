import type { LiveEvent } from "../../../contract/endpoints/live.ts";
import { limits } from "../../../contract/limits.ts";
import { NOBODY } from "./presence.ts";

/** What a stream last said about an estimation. */
export interface Followed {
  /** Null: nothing yet, or something may have been missed. */
  revision: number | null;
  /** Who is there, as text. */
  present: string;
}

export const notTold = (): Followed => ({ revision: null, present: NOBODY });

/**
 * One open stream: what it follows, and what its reader has still to get, which is bounded: later news of the same kind about
 * the same estimation take the place of earlier ones.
 */
export class LiveStream {
  readonly id: string;
  readonly userId: string;
  readonly isPerson: boolean;
  readonly followed = new Map<string, Followed>();
  private readonly waiting = new Map<string, LiveEvent>();
  private isOver = false;
  private wake = () => {};

  constructor(id: string, of: Pick<LiveStream, "userId" | "isPerson">) {
    this.id = id;
    this.userId = of.userId;
    this.isPerson = of.isPerson;
  }

  push(event: LiveEvent): void {
    const { type, estimationId = "" } = event;
    const key = `${type} ${estimationId} ${event.roundId ?? ""}`;
    if (type === "closed")
      for (const [other, waiting] of this.waiting)
        if (waiting.estimationId === estimationId) this.waiting.delete(other);
    this.waiting.set(
      key,
      event.changes ? { ...event, changes: both(this.waiting.get(key)?.changes, event.changes) } : event,
    );
    this.wake();
  }

  /** Ends it once what waits was taken. */
  end(): void {
    this.isOver = true;
    this.wake();
  }

  /** Yields what waits as it comes, until the stream ends or `signal` is aborted. */
  async *events(signal: AbortSignal): AsyncGenerator<LiveEvent> {
    const abort = () => this.wake();
    signal.addEventListener("abort", abort);
    try {
      while (!signal.aborted) {
        const [next] = this.waiting;
        if (next) {
          this.waiting.delete(next[0]);
          yield next[1];
        } else if (this.isOver) return;
        else await new Promise<void>((resolve) => (this.wake = resolve));
      }
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }
}

type Changes = NonNullable<LiveEvent["changes"]>;

/** Empty if either is, which says that all is to be read again. */
const both = (earlier: Changes | undefined, later: Changes): Changes =>
  earlier?.length === 0 || later.length === 0 ? [] : newest([...(earlier ?? []), ...later]);

/** The newest of each kind and person, at most `limits.liveChanges`. */
function newest(changes: Changes): Changes {
  const each = new Map<string, Changes[number]>();
  for (const change of changes) {
    const key = `${change.kind} ${change.person.id}`;
    each.delete(key);
    each.set(key, change);
  }
  return [...each.values()].slice(-limits.liveChanges);
}
