import { useEffect, useRef } from "react";
import type { LiveEvent } from "../../../../contract/endpoints/live.ts";
import { currentSession } from "../../api/session.ts";
import type { TreeSync } from "../trees/sync/tree-sync.ts";
import { changedLines } from "./changed-lines.ts";
import { type LiveLines, NO_LINES } from "./live-lines.ts";
import { follow, moveTo } from "./stream.ts";
import { liveTexts } from "./texts.ts";

/** How long a line shows who has changed it, in milliseconds. */
const MARKED_MS = 5_000;
/** Revisions of which is remembered who made them. */
const KEPT = 100;

/** Who made something is heard of at most so long after it was loaded, in milliseconds. */
const LATE_MS = 3_000;

/** What was loaded: the lines that others changed in the revisions after `since` up to `last`. */
interface Unmarked {
  readonly lines: readonly string[];
  readonly since: number;
  readonly last: number;
  readonly at: number;
}

interface LiveTreeProps {
  readonly sync: TreeSync;
  /** Where the reader is. */
  readonly lineId: string | null;
  readonly onLines: (lines: LiveLines) => void;
}

/** Loads what others change in a tree as soon as they have, and shows where they are. Renders nothing itself. */
export function LiveTree({ sync, lineId, onLines }: LiveTreeProps) {
  const { id } = sync.current().estimation;
  useEffect(() => moveTo(id, lineId), [id, lineId]);
  const show = useRef(onLines);
  show.current = onLines;
  useEffect(() => followTree(sync, (lines) => show.current(lines)), [sync]);
  return null;
}

function followTree(sync: TreeSync, show: (lines: LiveLines) => void): () => void {
  let lines = NO_LINES;
  let heard = 0;
  let isLooking = false;
  const timers = new Set<ReturnType<typeof setTimeout>>();
  /** Who made a revision; the last entry of what was heard covers those before it that were heard of together. */
  const makers = new Map<number, NonNullable<LiveEvent["changes"]>>();
  const unmarked = new Set<Unmarked>();
  const change = (next: Partial<LiveLines>) => {
    lines = { ...lines, ...next };
    show(lines);
  };
  const isBehind = () => sync.current().saving.at === "saved" && sync.revision() < heard;
  const look = async () => {
    if (isLooking || !isBehind()) return;
    isLooking = true;
    const before = sync.revision();
    await sync.look();
    isLooking = false;
    // Where nothing came of it, such as in a tab that is hidden, the next news or the next save looks again.
    if (sync.revision() > before) void look();
  };
  /** Marks what was loaded, once it is heard who made it: that may come a moment later. */
  const settle = () => {
    for (const change of unmarked) {
      const { since, last, lines: ids } = change;
      const known = [...makers].filter(([revision]) => revision > since && revision <= nextOf(makers, last));
      const isLate = Date.now() - change.at > LATE_MS;
      if (!isLate && !known.some(([revision]) => revision >= last)) continue;
      unmarked.delete(change);
      const people = new Map(known.flatMap(([, made]) => made.map(({ person }) => [person.id, person.name] as const)));
      if (people.size === 0) people.set("", liveTexts.someone);
      people.delete(currentSession()?.userId ?? "");
      if (people.size > 0) mark(ids, [...people.values()].join(", "));
    }
  };
  sync.onOthers = (before, after, since, last) => {
    if (!sync.isFollowed) return false;
    unmarked.add({ lines: changedLines(before, after), since, last, at: Date.now() });
    settle();
    later(settle, LATE_MS + 1);
    return true;
  };
  const later = (work: () => void, ms: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  };
  const mark = (ids: readonly string[], names: string) => {
    change({ edited: new Map([...lines.edited, ...ids.map((id) => [id, names] as const)]) });
    later(() => change({ edited: new Map([...lines.edited].filter(([id]) => !ids.includes(id))) }), MARKED_MS);
  };
  const endLooking = sync.subscribe(() => void look());
  const leave = follow(sync.current().estimation.id, {
    changed({ type, revision = 0, changes }) {
      if (type === "closed") return void sync.look();
      if (changes?.length) makers.set(revision, [...(makers.get(revision) ?? []), ...changes]);
      settle();
      const [oldest] = makers.keys();
      if (makers.size > KEPT && oldest !== undefined) makers.delete(oldest);
      heard = Math.max(heard, revision);
      void look();
    },
    present({ people = [] }) {
      const here = new Map<string, string>();
      for (const { lineId, name } of people)
        if (lineId) here.set(lineId, here.has(lineId) ? `${here.get(lineId)}, ${name}` : name);
      change({ here });
    },
    followed(isFollowed) {
      sync.isFollowed = isFollowed;
      if (isFollowed) void sync.look();
      else change({ here: NO_LINES.here });
    },
  });
  return () => {
    leave();
    endLooking();
    sync.isFollowed = false;
    sync.onOthers = null;
    for (const timer of timers) clearTimeout(timer);
    show(NO_LINES);
  };
}

/** The first revision from `last` on that was heard of: several that were made at once are heard of together. */
const nextOf = (makers: ReadonlyMap<number, unknown>, last: number): number =>
  Math.min(...[...makers.keys()].filter((revision) => revision >= last));
