import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { lazy, type ReactNode, startTransition, useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { failureText, isRefusal } from "../../api/failure.ts";
import { described } from "../../ui/hinted.ts";
import { IconMore, IconPencil } from "../../ui/icons.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Part } from "../../ui/part.tsx";
import tool from "../../ui/tool-button.module.css";
import { ToolButton } from "../../ui/tool-button.tsx";
import { mayEdit } from "../estimations/rights.ts";
import { StatusMark } from "../estimations/status-mark.tsx";
import { estimationTexts } from "../estimations/texts.ts";
import { later } from "../live/later.ts";
import { useCommands } from "../palette/commands.ts";
import { treeTexts } from "../trees/texts.ts";
import styles from "./estimation-head.module.css";
import { stateTexts } from "./texts.ts";
import { useIsRefused, useMove } from "./use-move.ts";

const t = stateTexts;

const Problems = lazy(async () => ({ default: (await import("./problems.tsx")).Problems }));
const RequestDialog = lazy(async () => ({ default: (await import("../reviews/request-dialog.tsx")).RequestDialog }));
const MakeDialog = lazy(async () => ({ default: (await import("../templates/make-dialog.tsx")).MakeDialog }));
const LivePeople = later(async () => (await import("../live/live-people.tsx")).LivePeople);
const EstimationMenu = lazy(async () => ({ default: (await import("./estimation-menu.tsx")).EstimationMenu }));

/** On a phone not all tabs fit: scrolls to the one that shows, and not the page with them. */
function showCurrent(tabs: HTMLElement | null): void {
  const shown = tabs?.querySelector<HTMLElement>("[aria-current]");
  if (tabs && shown) tabs.scrollLeft = shown.offsetLeft - tabs.offsetLeft - tabs.offsetWidth / 2;
}

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
  /** Whether others do not learn that the reader is here; who else is does not show then. */
  readonly isHidden?: boolean;
  /** What stands beside the title, such as whether it is saved. */
  readonly children?: ReactNode;
}

/** What stands above every page of an estimation: title, state with what can be done about it, and the pages. */
export function EstimationHead(props: HeadProps) {
  const { estimation, tree, revision, catchUp = nothing, onEdit, isHidden = false, children } = props;
  const { id, title, status, clientName, access, reviewState, reviewStale } = estimation;
  const [isAsking, setAsking] = useState(false);
  const [isMaking, setMaking] = useState(false);
  const [hasMenu, setMenu] = useState(false);
  const shownRevision = revision ?? (async () => `"${estimation.revision}"`);
  const pathname = useLocation({ select: (location) => location.pathname });
  const move = useMove(estimation, shownRevision, catchUp);
  const isRefused = useIsRefused(id);
  const act = useMutation({ mutationFn: (run: () => Promise<void>) => run() });
  const canAsk = access === "owner";
  useCommands(async () =>
    (await import("./head-commands.ts")).headCommands({
      ...{ estimation, pathname, untilSaved: shownRevision, onMove: move.mutate, onAct: act.mutate },
      onRequestReview: canAsk ? () => setAsking(true) : undefined,
      onMakeTemplate: () => setMaking(true),
    }),
  );
  return (
    <div className={styles.head}>
      <p className={styles.crumb}>
        <Link to="/estimations">{estimationTexts.estimations.title}</Link>
      </p>
      <div className={styles.line}>
        <div className={styles.texts}>
          <h1>{title}</h1>
          {onEdit && (
            <ToolButton label={treeTexts.editor.settings} className={styles.edit} onPress={onEdit}>
              <IconPencil />
            </ToolButton>
          )}
          <StatusMark status={status} />
          {clientName && <span className="muted">{clientName}</span>}
          {children}
          {!isHidden && (
            <Part>
              <LivePeople id={id} />
            </Part>
          )}
          {reviewState !== "none" && (
            <Link to="/estimations/$id/reviews" params={{ id }}>
              {t.reviews[reviewState]}
              {reviewStale && `, ${estimationTexts.estimations.stale}`}
            </Link>
          )}
        </div>
        <span className={styles.moves}>
          {mayEdit(estimation) && (
            <>
              {canAsk && (
                <>
                  <LinkButton variant="default" to="/estimations/$id/shares" params={{ id }}>
                    {t.share}
                  </LinkButton>
                  <Button variant="default" {...described(t.requestHint)} onClick={() => setAsking(true)}>
                    {t.requestReview}
                  </Button>
                </>
              )}
              {status === "draft" ? (
                <Button
                  // Other pages have a first action of their own.
                  variant={tree ? "filled" : "default"}
                  loading={move.isPending}
                  {...described(t.submitHint)}
                  onClick={() => move.mutate("submit")}
                >
                  {t.moves.submit}
                </Button>
              ) : (
                <Button
                  variant="default"
                  loading={move.isPending}
                  {...described(t.reopenHint)}
                  onClick={() => move.mutate("reopen")}
                >
                  {t.moves.reopen}
                </Button>
              )}
            </>
          )}
          <Part>
            {hasMenu ? (
              <EstimationMenu
                estimation={estimation}
                revision={shownRevision}
                onMove={move.mutate}
                onMakeTemplate={() => setMaking(true)}
              />
            ) : (
              // Its items are loaded once it is pressed, and until then it stays as it is.
              <button
                type="button"
                className={tool.button}
                aria-label={t.more}
                aria-haspopup="menu"
                aria-expanded={false}
                onClick={() => startTransition(() => setMenu(true))}
              >
                <IconMore />
              </button>
            )}
          </Part>
        </span>
      </div>
      <nav aria-label={t.pages} className={styles.tabs} ref={showCurrent}>
        <Link to="/estimations/$id" params={{ id }} activeOptions={{ exact: true }} activeProps={current}>
          {t.tabs.tree}
        </Link>
        <Link to="/estimations/$id/timeline" params={{ id }} activeProps={current}>
          {t.tabs.timeline}
        </Link>
        <Link to="/estimations/$id/tasks" params={{ id }} activeProps={current}>
          {t.tabs.tasks}
        </Link>
        <Link
          to="/estimations/$id/versions"
          params={{ id }}
          activeProps={current}
          {...(pathname.endsWith("/compare") && within)}
        >
          {t.tabs.versions}
        </Link>
        <Link
          to="/estimations/$id/reviews"
          params={{ id }}
          activeProps={current}
          {...(pathname.includes("/rounds/") && within)}
        >
          {t.tabs.reviews}
        </Link>
        <Link to="/estimations/$id/activity" params={{ id }} activeProps={current}>
          {t.tabs.activity}
        </Link>
        {mayEdit(estimation) && (
          <Link to="/estimations/$id/shares" params={{ id }} activeProps={current}>
            {t.tabs.shares}
          </Link>
        )}
      </nav>
      {move.isError && !isRefusal(move.error, "tree_incomplete") && (
        <Notice kind="bad">{isRefusal(move.error, "revision_mismatch") ? t.stale : failureText(move.error)}</Notice>
      )}
      {act.isError && <Notice kind="bad">{failureText(act.error)}</Notice>}
      {isAsking && (
        <Part>
          <RequestDialog
            estimationId={id}
            revision={shownRevision}
            catchUp={catchUp}
            onClose={() => setAsking(false)}
          />
        </Part>
      )}
      {isMaking && (
        <Part>
          <MakeDialog estimation={estimation} saved={shownRevision} onClose={() => setMaking(false)} />
        </Part>
      )}
      {status === "draft" && isRefused && (
        <Part>
          <Problems estimationId={id} tree={tree} />
        </Part>
      )}
    </div>
  );
}

const nothing = async () => {};
const current = { "aria-current": "page" } as const;
/** For the tab of a page that has none itself. */
const within = { "aria-current": "true" } as const;
