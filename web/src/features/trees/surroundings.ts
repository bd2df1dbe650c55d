import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Content, Own } from "./sync/content.ts";
import type { Draft, LeftDraft, LoadedTree } from "./sync/drafts.ts";

/** The requests about one estimation. What stores returns undefined where `etag` is stale. */
export interface Service {
  storeTree(tree: Content["tree"], etag: string): Promise<LoadedTree | undefined>;
  storeOwn(
    fields: Partial<Own>,
    etag: string,
  ): Promise<{ readonly estimation: Estimation; readonly etag: string } | undefined>;
  /** Throws `NotModified` where the estimation still is what `known` says. */
  loadEstimation(known: string): Promise<{ readonly estimation: Estimation; readonly etag: string }>;
  loadBoth(): Promise<{ readonly estimation: Estimation; readonly loaded: LoadedTree }>;
}

/** A revision, and when it was made, as the server says. */
export interface Known {
  readonly revision: number;
  readonly at: string;
}

/** The browser around the estimation: what it keeps, who is signed in, and its clock. */
export interface Surroundings {
  /** The edits that this page keeps. */
  readonly drafts: {
    /** What a closed page left, and this one has taken over; null for nothing. */
    taken(): Draft | null;
    keep(draft: Draft): void;
    /** Keeps it while the page is left. */
    keepNow(draft: Draft): void;
    drop(): void;
    /** Returns what another page, closed by now, has left … */
    next(): Promise<LeftDraft | undefined>;
    /** … and takes it over; false if that has happened already. */
    take(left: LeftDraft): boolean;
  };
  /** Whether the user who edits is signed in: another one may be, while this waits for a connection. */
  isSignedIn(): boolean;
  isVisible(): boolean;
  now(): number;
  /** Runs something after a pause; returns a function that prevents it. */
  after(ms: number, run: () => void): () => void;
  /** Tells other tabs that this one made a revision. */
  tellSave(revision: number): void;
  /** Whether the reader made every revision after `since` up to `last`, in another tab or on another device. */
  isOwnSince(since: Known, last: number): Promise<boolean>;
}
