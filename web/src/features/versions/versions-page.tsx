import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { lazy, useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Thread } from "../../../../contract/endpoints/threads.ts";
import type { Version } from "../../../../contract/endpoints/versions.ts";
import type { First } from "../../app/first.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { FailedPage } from "../../ui/failed-page.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Message } from "../../ui/message.tsx";
import { Notice, NoticeButton } from "../../ui/notice.tsx";
import { Part } from "../../ui/part.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { estimationQuery } from "../estimations/queries.ts";
import { mayEdit } from "../estimations/rights.ts";
import { EstimationHead } from "../states/estimation-head.tsx";
import { NameDialog } from "./name-dialog.tsx";
import { threadsQuery, versionsQuery } from "./queries.ts";
import { Refusal } from "./refusal.tsx";
import { RestoreDialog } from "./restore-dialog.tsx";
import { versionTexts as t } from "./texts.ts";
import { ThreadList } from "./thread-list.tsx";
import { useHistoryChanges } from "./use-history-changes.ts";
import { type VersionAsk, VersionTable } from "./version-table.tsx";
import styles from "./versions.module.css";

export const first: First<{ readonly thread?: string | undefined }> = ({ params: { id }, search: { thread } }) => [
  estimationQuery(id),
  versionsQuery(id, thread),
  threadsQuery(id),
];

/** The versions of an estimation, as lines by thread. */
export function VersionsPage() {
  const { id } = useParams({ from: "/frame/signed-in/estimations/$id/versions" });
  const { data: estimation, error, refetch } = useQuery(estimationQuery(id));
  useTitle(estimation && t.title(estimation.title));
  if (estimation === undefined) {
    return error ? <FailedPage error={error} onRetry={() => void refetch()} /> : <SkeletonRows rows={8} />;
  }
  return (
    <>
      <EstimationHead estimation={estimation} />
      <Versions key={id} estimation={estimation} />
    </>
  );
}

const Messages = lazy(async () => ({ default: (await import("./messages.tsx")).Messages }));
const MergeDialog = lazy(async () => ({ default: (await import("./merge-dialog.tsx")).MergeDialog }));

type Asked =
  | { readonly what: VersionAsk; readonly version: Version }
  | { readonly what: "save" }
  | { readonly what: "merge"; readonly thread: Thread };

function Versions({ estimation }: { readonly estimation: Estimation }) {
  const { id, status } = estimation;
  const { thread } = useSearch({ from: "/frame/signed-in/estimations/$id/versions" });
  const list = useInfiniteQuery(versionsQuery(id, thread));
  const threads = useQuery(threadsQuery(id));
  const changes = useHistoryChanges(estimation);
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const ask = (next: Asked) => {
    const { save, name, restore, switchTo, create, change, remove, merge, undo } = changes;
    for (const request of [save, name, restore, switchTo, create, change, remove, merge, undo]) request.reset();
    setAsked(next);
  };
  const canEdit = mayEdit(estimation);
  const versions = list.data?.pages.flatMap((page) => page.versions) ?? [];
  const all = threads.data ?? [];
  // The threads stand above the versions, which would move when they come.
  const isPending = list.isPending || threads.isPending;
  /** The thread whose messages show: the one that was chosen, else the one that is worked on. */
  const talked = all.find((one) => (thread === undefined ? one.current : one.id === thread));
  /** The thread that got the merge that is asked about. */
  const undoing = asked?.what === "undo" ? all.find((one) => one.id === asked.version.threadId) : undefined;
  const isEmpty = list.isSuccess && versions.length === 0 && thread === undefined;
  const save = <Button onClick={() => ask({ what: "save" })}>{t.save}</Button>;
  return (
    <>
      {isEmpty ? (
        <Message level={2} title={t.emptyTitle} text={canEdit ? t.empty : t.emptyForReaders}>
          {canEdit && save}
        </Message>
      ) : (
        <>
          <div className={styles.bar}>
            {canEdit && status !== "draft" && <span className="muted">{t.locked}</span>}
            <span className={styles.end}>
              <LinkButton variant="default" to="/estimations/$id/compare" params={{ id }}>
                {t.compare}
              </LinkButton>
              {canEdit && save}
            </span>
          </div>
          {changes.said !== null && (
            <div className={styles.said}>
              <Notice
                kind="info"
                action={
                  changes.merged && (
                    <NoticeButton
                      onClick={() => changes.undo.isPending || !changes.merged || changes.undo.mutate(changes.merged)}
                    >
                      {changes.undo.isPending ? t.merge.undoing : t.merge.undo}
                    </NoticeButton>
                  )
                }
              >
                {changes.said}
              </Notice>
              {changes.merged && !undoing && <Refusal error={changes.undo.error} />}
            </div>
          )}
          {isPending ? (
            <SkeletonRows rows={8} />
          ) : (
            <>
              {all.length > 1 && (
                <ThreadList
                  estimation={estimation}
                  threads={all}
                  shown={thread}
                  canEdit={canEdit}
                  changes={changes}
                  onMerge={(from) => ask({ what: "merge", thread: from })}
                />
              )}
              <div className={styles.columns}>
                <div className={styles.list}>
                  <LoadFailure query={list} />
                  <LoadFailure query={threads} />
                  {versions.length > 0 && (
                    <VersionTable
                      estimation={estimation}
                      versions={versions}
                      threads={all}
                      isWhole={thread === undefined}
                      canEdit={canEdit}
                      onAsk={(what, version) => ask({ what, version })}
                    />
                  )}
                  {list.isSuccess && <MoreRows counted={t.counted(versions.length)} list={list} />}
                </div>
                {talked && (
                  <Part>
                    <Messages key={talked.id} estimation={estimation} thread={talked} versions={versions} />
                  </Part>
                )}
              </div>
            </>
          )}
        </>
      )}
      {asked?.what === "save" && (
        <NameDialog
          title={t.save}
          label={t.name}
          hint={t.nameHint}
          request={changes.save}
          onName={(label) => changes.save.mutate(label, { onSuccess: close })}
          onClose={close}
        />
      )}
      {asked?.what === "name" && (
        <NameDialog
          title={t.renameTitle(asked.version.number)}
          label={t.name}
          hint={t.nameHint}
          value={asked.version.label ?? ""}
          request={changes.name}
          onName={(label) => changes.name.mutate({ version: asked.version, label }, { onSuccess: close })}
          onClose={close}
        />
      )}
      {asked?.what === "restore" && (
        <RestoreDialog
          estimationId={id}
          version={asked.version}
          request={changes.restore}
          onConfirm={(revision) => changes.restore.mutate({ version: asked.version, revision }, { onSuccess: close })}
          onClose={close}
        />
      )}
      {asked?.what === "undo" && undoing && (
        <Confirm
          title={t.merge.undoTitle(asked.version.number)}
          text={t.merge.undoText(undoing.title)}
          action={t.merge.undoAction}
          isDangerous={false}
          request={changes.undo}
          onConfirm={() =>
            changes.undo.mutate(
              { into: undoing, versionId: asked.version.id, revision: estimation.revision },
              { onSuccess: close },
            )
          }
          onClose={close}
        />
      )}
      {asked?.what === "merge" && (
        <Part>
          <MergeDialog
            estimation={estimation}
            from={all.find((one) => one.id === asked.thread.id) ?? asked.thread}
            threads={all}
            request={changes.merge}
            onMerge={(wish) => changes.merge.mutate(wish, { onSuccess: close })}
            onClose={close}
          />
        </Part>
      )}
      {asked?.what === "fork" && (
        <NameDialog
          title={t.threads.beginTitle(asked.version.number)}
          label={t.threads.name}
          hint={t.threads.nameHint}
          action={t.threads.create}
          isNeeded
          request={changes.create}
          onName={(title, fields) =>
            changes.create.mutate(
              { base: asked.version, title },
              {
                onSuccess: ({ data }) => {
                  close();
                  if (fields.get("switch") === "on") changes.switchTo.mutate(data.thread);
                },
              },
            )
          }
          onClose={close}
        >
          {status === "draft" && <Checkbox name="switch" label={t.threads.alsoSwitch} defaultChecked />}
        </NameDialog>
      )}
    </>
  );
}
