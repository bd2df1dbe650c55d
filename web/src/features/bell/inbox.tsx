import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Notification } from "../../../../contract/endpoints/notifications.ts";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { Notice } from "../../ui/notice.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import styles from "./bell.module.css";
import { bellTexts } from "./texts.ts";

const PAGE = 20;

/** What somebody was notified of, newest first, with marks of what is not read. */
export function Inbox({ onGone }: { readonly onGone: () => void }) {
  const queries = useQueryClient();
  const list = useInfiniteQuery({
    queryKey: keys.inbox,
    queryFn: async ({ pageParam: cursor }) => (await api.listNotifications({ query: { limit: PAGE, cursor } })).data,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const read = useMutation({
    mutationFn: (body: { readonly ids?: string[]; readonly upTo?: string }) => api.readNotifications({ body }),
    onSuccess: ({ data }) => {
      queries.setQueryData(keys.unread, data.unread);
      return queries.invalidateQueries({ queryKey: keys.inbox });
    },
  });
  const all = list.data?.pages.flatMap(({ notifications }) => notifications) ?? [];
  const [newest] = all;
  const error = list.error ?? read.error;
  return (
    <>
      <div className={styles.head}>
        <h2>{bellTexts.title}</h2>
        {newest && all.some(({ readAt }) => readAt === null) && (
          <TextButton onClick={() => read.mutate({ upTo: newest.id })}>{bellTexts.readAll}</TextButton>
        )}
      </div>
      {error && <Notice kind="bad">{failureText(error)}</Notice>}
      {list.isSuccess && all.length === 0 && <p className={styles.empty}>{bellTexts.empty}</p>}
      <ul className={styles.list}>
        {all.map((one) => (
          <li key={one.id} className={one.readAt === null ? styles.unread : ""}>
            <Target
              of={one}
              onGo={() => {
                if (one.readAt === null) read.mutate({ ids: [one.id] });
                onGone();
              }}
            >
              {one.readAt === null && <span className="unseen">{bellTexts.unread}: </span>}
              {textOf(one)}
              <small>
                <Ago at={one.createdAt} />
              </small>
            </Target>
          </li>
        ))}
      </ul>
      <div className={styles.foot}>
        {list.hasNextPage && <TextButton onClick={() => void list.fetchNextPage()}>{bellTexts.more}</TextButton>}
        <Link to="/profile/notifications" onClick={onGone}>
          {bellTexts.settings}
        </Link>
      </div>
    </>
  );
}

function textOf({ kind, person, estimation, team }: Notification): string {
  const name = kind === "team.invited" ? team?.name : estimation?.title;
  const what =
    name === undefined ? bellTexts.unseen[kind === "team.invited" ? "team" : "estimation"] : bellTexts.quoted(name);
  return bellTexts.says[kind](person?.name ?? bellTexts.someone, what);
}

interface TargetProps {
  readonly of: Notification;
  readonly onGo: () => void;
  readonly children: ReactNode;
}

/** The link to what a notification is about; what may not be seen any more has none. */
function Target({ of: { kind, estimation, team, subject }, onGo, children }: TargetProps) {
  if (kind === "share.invited" && estimation)
    return (
      <Link to="/shared" search={{ accept: subject.shareId }} onClick={onGo}>
        {children}
      </Link>
    );
  if (kind === "team.invited" && team)
    return (
      <Link to="/teams/$id/invitation" params={{ id: team.id }} onClick={onGo}>
        {children}
      </Link>
    );
  if (kind === "export.ended" && estimation)
    return (
      <Link to="/estimations/$id/tasks" params={{ id: estimation.id }} onClick={onGo}>
        {children}
      </Link>
    );
  if (estimation && subject.threadId)
    return (
      <Link
        to="/estimations/$id/versions"
        params={{ id: estimation.id }}
        search={{ thread: subject.threadId }}
        onClick={onGo}
      >
        {children}
      </Link>
    );
  if (estimation && subject.roundId)
    return (
      <Link
        to="/estimations/$id/rounds/$roundId"
        params={{ id: estimation.id, roundId: subject.roundId }}
        onClick={onGo}
      >
        {children}
      </Link>
    );
  if (estimation && subject.reviewId)
    return (
      <Link
        to="/estimations/$id/reviews/$reviewId"
        params={{ id: estimation.id, reviewId: subject.reviewId }}
        onClick={onGo}
      >
        {children}
      </Link>
    );
  return <span>{children}</span>;
}
