import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { failureText, isRefusal } from "../../api/failure.ts";
import { IconPencil } from "../../ui/icons.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { StatusMark } from "../estimations/status-mark.tsx";
import { estimationTexts } from "../estimations/texts.ts";
import { treeTexts } from "../trees/texts.ts";
import styles from "./estimation-head.module.css";
import { stateTexts } from "./texts.ts";
import { useIsRefused, useMove } from "./use-move.ts";

const t = stateTexts;

const Problems = lazy(async () => ({ default: (await import("./problems.tsx")).Problems }));
const RequestDialog = lazy(async () => ({ default: (await import("../reviews/request-dialog.tsx")).RequestDialog }));
const MoreMoves = lazy(async () => ({ default: (await import("./more-moves.tsx")).MoreMoves }));

/** Returns whether the reader may change it; whether its content can be changed is for its state to say. */
export const mayEdit = ({ access }: Estimation): boolean => access === "owner" || access === "editor";

interface HeadProps {
  readonly estimation: Estimation;
  /** The tree as it is edited, for what is missing in it. */
  readonly tree?: Tree;
  /** Returns the revision that the reader looks at, once it is saved; by default that of `estimation`. */
  readonly revision?: () => Promise<string>;
  /** Loads what somebody else changed of what the page shows beside `estimation`. */
  readonly catchUp?: () => Promise<void>;
  /** Opens what changes the title and the other fields of the estimation; left out where they are only read. */
  readonly onEdit?: (() => void) | undefined;
  /** What stands beside the title, such as whether it is saved. */
  readonly children?: ReactNode;
}

/** What stands above every page of an estimation: title, state with what can be done about it, and the pages. */
export function EstimationHead({ estimation, tree, revision, catchUp = nothing, onEdit, children }: HeadProps) {
  const { id, title, status, clientName, access, reviewState, reviewStale } = estimation;
  const [isAsking, setAsking] = useState(false);
  const shownRevision = revision ?? (async () => `"${estimation.revision}"`);
  const move = useMove(estimation, shownRevision, catchUp);
  const isRefused = useIsRefused(id);
  return (
    <div className={styles.head}>
      <p className={styles.crumb}>
        <Link to="/estimations">{estimationTexts.estimations.title}</Link>
      </p>
      <div className={styles.line}>
        <h1>{title}</h1>
        {onEdit && (
          <button
            type="button"
            className={styles.edit}
            aria-label={treeTexts.editor.settings}
            title={treeTexts.editor.settings}
            onClick={onEdit}
          >
            <IconPencil />
          </button>
        )}
        <StatusMark status={status} />
        {clientName && <span className="muted">{clientName}</span>}
        {children}
        {reviewState !== "none" && (
          <span className="muted">
            {t.reviews[reviewState]}
            {reviewStale && `, ${estimationTexts.estimations.stale}`}
          </span>
        )}
        {mayEdit(estimation) && (
          <span className={styles.moves}>
            {tree && access === "owner" && (
              <>
                <LinkButton variant="default" to="/estimations/$id/shares" params={{ id }}>
                  {t.share}
                </LinkButton>
                <Button variant="default" onClick={() => setAsking(true)}>
                  {t.requestReview}
                </Button>
              </>
            )}
            {status === "draft" ? (
              <Button
                // Other pages have a first action of their own.
                variant={tree ? "filled" : "default"}
                loading={move.isPending}
                onClick={() => move.mutate("submit")}
              >
                {t.moves.submit}
              </Button>
            ) : (
              <>
                <Button
                  variant="default"
                  loading={move.isPending}
                  title={t.reopenHint}
                  onClick={() => move.mutate("reopen")}
                >
                  {t.moves.reopen}
                </Button>
                <Suspense>
                  <MoreMoves status={status} onMove={(next) => move.mutate(next)} />
                </Suspense>
              </>
            )}
          </span>
        )}
      </div>
      <nav aria-label={t.pages} className={styles.tabs}>
        <Link to="/estimations/$id" params={{ id }} activeOptions={{ exact: true }} activeProps={current}>
          {t.tabs.tree}
        </Link>
        <Link to="/estimations/$id/tasks" params={{ id }} activeProps={current}>
          {t.tabs.tasks}
        </Link>
        {access === "owner" && (
          <Link to="/estimations/$id/shares" params={{ id }} activeProps={current}>
            {t.tabs.shares}
          </Link>
        )}
      </nav>
      {move.isError && !isRefusal(move.error, "tree_incomplete") && (
        <Notice kind="bad">{isRefusal(move.error, "revision_mismatch") ? t.stale : failureText(move.error)}</Notice>
      )}
      {isAsking && (
        <Suspense>
          <RequestDialog
            estimationId={id}
            revision={shownRevision}
            catchUp={catchUp}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
      {status === "draft" && isRefused && (
        <Suspense>
          <Problems estimationId={id} tree={tree} />
        </Suspense>
      )}
    </div>
  );
}

const nothing = async () => {};
const current = { "aria-current": "page" } as const;
