import { type LiveStream, notTold } from "./live-stream.ts";

/** The open streams of a process, also by whose they are and by what they follow. */
export class OpenStreams {
  private readonly all = new Map<string, LiveStream>();
  private readonly byUser = new Map<string, Set<LiveStream>>();
  private readonly byEstimation = new Map<string, Set<LiveStream>>();

  get size(): number {
    return this.all.size;
  }
  get ids(): string[] {
    return [...this.all.keys()];
  }
  get(id: string): LiveStream | undefined {
    return this.all.get(id);
  }
  /** The users who read streams with a session. */
  get people(): Iterable<string> {
    return this.byUser.keys();
  }
  /** The streams that a user reads with a session. */
  of(userId: string): ReadonlySet<LiveStream> {
    return this.byUser.get(userId) ?? NONE;
  }
  /** The estimations that some stream follows. */
  get followed(): Iterable<string> {
    return this.byEstimation.keys();
  }
  following(estimationId: string): ReadonlySet<LiveStream> {
    return this.byEstimation.get(estimationId) ?? NONE;
  }

  add(stream: LiveStream): void {
    this.all.set(stream.id, stream);
    if (stream.isPerson) addTo(this.byUser, stream.userId, stream);
  }
  remove(stream: LiveStream): void {
    this.all.delete(stream.id);
    removeFrom(this.byUser, stream.userId, stream);
    for (const id of stream.followed.keys()) removeFrom(this.byEstimation, id, stream);
  }
  /** Returns whether the stream did not follow it yet. */
  follow(stream: LiveStream, estimationId: string): boolean {
    if (stream.followed.has(estimationId)) return false;
    stream.followed.set(estimationId, notTold());
    addTo(this.byEstimation, estimationId, stream);
    return true;
  }
  /** What the streams were told of estimations does not count any more. */
  forgetTold(): void {
    for (const { followed } of this.all.values()) for (const told of followed.values()) told.revision = null;
  }
  unfollow(stream: LiveStream, estimationId: string): void {
    stream.followed.delete(estimationId);
    removeFrom(this.byEstimation, estimationId, stream);
  }
}

const NONE: ReadonlySet<LiveStream> = new Set();

function addTo(map: Map<string, Set<LiveStream>>, key: string, stream: LiveStream): void {
  const streams = map.get(key);
  if (streams) streams.add(stream);
  else map.set(key, new Set([stream]));
}

function removeFrom(map: Map<string, Set<LiveStream>>, key: string, stream: LiveStream): void {
  const streams = map.get(key);
  streams?.delete(stream);
  if (streams?.size === 0) map.delete(key);
}
