import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Thread } from "../../../../contract/endpoints/threads.ts";
import type { Version } from "../../../../contract/endpoints/versions.ts";
import type { MergeSide } from "../../../../contract/values/merge-conflicts.ts";
import { api } from "../../api/client.ts";
import { reloadHistory } from "./queries.ts";
import { versionTexts as t } from "./texts.ts";

export type HistoryChanges = ReturnType<typeof useHistoryChanges>;

/** A merge with all its conflicts decided. */
export interface MergeWish {
  readonly from: Thread;
  readonly into: Thread;
  readonly resolutions: readonly { readonly id: string; readonly side: MergeSide }[];
}

/** A merge to take back: the version that it made, which is still the head of its thread. */
interface UndoWish {
  readonly into: Thread;
  readonly versionId: string;
  /** Of the estimation that the reader saw. */
  readonly revision: number;
}

/** A version to restore, and the revision of the content that the reader saw it would replace. */
interface RestoreWish {
  readonly version: Version;
  readonly revision: number;
}

const labelOf = (typed: string) => (typed.trim() === "" ? null : typed.trim());

/** What an editor can do with versions and threads; `said` is what was done last, in words. */
export function useHistoryChanges({ id, revision }: Estimation) {
  const queries = useQueryClient();
  const [said, setSaid] = useState<string | null>(null);
  const params = { id };
  /** A write is refused where somebody has changed what the reader looks at. */
  const matching = (read: number) => ({ "if-match": `"${read}"` });
  const headers = matching(revision);
  const onSettled = (_: unknown, error: unknown) => reloadHistory(queries, id, error);
  /** The merge that was made last here, as long as nothing else was done. */
  const [merged, setMerged] = useState<UndoWish | null>(null);
  const begin = () => {
    setSaid(null);
    setMerged(null);
  };

  const save = useMutation({
    mutationFn: (label: string) => api.createVersion({ params, headers, body: { label: labelOf(label) } }),
    onMutate: begin,
    onSuccess: ({ status, data: { version } }) => setSaid((status === 201 ? t.saved : t.found)(version.number)),
    onSettled,
  });
  const name = useMutation({
    mutationFn: ({ version, label }: { readonly version: Version; readonly label: string }) =>
      api.nameVersion({ params: { id, versionId: version.id }, body: { label: labelOf(label) } }),
    onMutate: begin,
    onSettled,
  });
  const restore = useMutation({
    mutationFn: ({ version, revision: read }: RestoreWish) =>
      api.restoreVersion({ params: { id, versionId: version.id }, headers: matching(read) }),
    onMutate: begin,
    onSuccess: ({ data }, { version }) => setSaid(t.restored(version.number, data.version.number)),
    onSettled,
  });
  const switchTo = useMutation({
    mutationFn: (thread: Pick<Thread, "id">) => api.switchThread({ params: { id, threadId: thread.id } }),
    onMutate: begin,
    onSuccess: ({ data: { thread, keptVersion, tasksAffected } }) =>
      setSaid(t.threads.switched(thread.title, keptVersion?.number ?? null, tasksAffected)),
    onSettled,
  });
  const create = useMutation({
    mutationFn: ({ base, title }: { readonly base: Version; readonly title: string }) =>
      api.createThread({ params, body: { title, baseVersionId: base.id } }),
    onMutate: begin,
    onSuccess: ({ data }) => setSaid(t.threads.created(data.thread.title)),
    onSettled,
  });
  const change = useMutation({
    mutationFn: ({ thread, ...body }: { readonly thread: Thread; title?: string; status?: "open" | "closed" }) =>
      api.updateThread({ params: { id, threadId: thread.id }, body }),
    onMutate: begin,
    onSettled,
  });
  const remove = useMutation({
    mutationFn: (thread: Thread) => api.deleteThread({ params: { id, threadId: thread.id } }),
    onMutate: begin,
    onSettled,
  });
  const merge = useMutation({
    mutationFn: ({ from, into, resolutions }: MergeWish) => {
      const [theirs, ours] = [from.headVersionId, into.headVersionId];
      const expectedHeads = theirs !== null && ours !== null ? { from: theirs, into: ours } : undefined;
      const body = { into: into.id, resolutions: [...resolutions], expectedHeads };
      return api.mergeThread({ params: { id, threadId: from.id }, headers, body });
    },
    onMutate: begin,
    onSuccess: ({ data: { merge: done, estimation } }, { from, into }) => {
      const { version } = done;
      // Where both had the same content, the version is the one that was there.
      const isNew = version?.parents.length === 2 && version.id !== into.headVersionId;
      setSaid(t.merge.merged(from.title, into.title));
      setMerged(isNew ? { into: done.into, versionId: version.id, revision: estimation.revision } : null);
      undo.reset();
    },
    onSettled,
  });
  const undo = useMutation({
    mutationFn: ({ into, versionId, revision: read }: UndoWish) =>
      api.undoMerge({
        params: { id, threadId: into.id },
        // Of another thread than the current one, the content that is worked on says nothing.
        headers: into.current ? matching(read) : {},
        body: { versionId },
      }),
    onSuccess: ({ data: { reopened, keptVersion } }) => {
      setMerged(null);
      const titles = reopened.map(({ title }) => title);
      setSaid(t.merge.undone(titles, keptVersion?.number ?? null));
    },
    onSettled,
  });
  return { save, name, restore, switchTo, create, change, remove, merge, undo, said, merged };
}
