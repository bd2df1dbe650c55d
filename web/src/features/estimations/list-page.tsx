import { Button } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { failureText } from "../../api/failure.ts";
import { texts } from "../../texts.ts";
import { formatCount } from "../../ui/format.ts";
import { IconPlus, IconTrash } from "../../ui/icons.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Message } from "../../ui/message.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SkeletonRows } from "../../ui/skeleton-rows.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { EstimationTable } from "./estimation-table.tsx";
import { Filters } from "./list-filters.tsx";
import styles from "./list-page.module.css";
import { listQuery } from "./queries.ts";
import { useRowActions } from "./row-actions.tsx";

const t = texts.estimations;

export function ListPage() {
  useTitle(t.title);
  const search = useSearch({ from: "/signed-in/estimations" });
  const navigate = useNavigate({ from: "/estimations" });
  const list = useInfiniteQuery({ ...listQuery(search), placeholderData: keepPreviousData });
  const actions = useRowActions();
  const isFiltered = Object.entries(search).some(([name, value]) => name !== "sort" && value !== undefined);
  const rows = list.data?.pages.flatMap(({ estimations }) => estimations) ?? [];
  const isEmpty = list.isSuccess && rows.length === 0;
  if (isEmpty && !isFiltered && !list.isPlaceholderData) {
    return (
      <>
        {actions.notice}
        <Message title={t.emptyTitle} text={t.empty}>
          <LinkButton to="/estimations/new" leftSection={<IconPlus />}>
            {t.emptyAction}
          </LinkButton>
        </Message>
        <p className={styles.below}>
          <Link to="/estimations/trash">{t.trash}</Link>
        </p>
      </>
    );
  }
  return (
    <>
      <div className={styles.head}>
        <h1>{t.title}</h1>
        <Link to="/estimations/trash" className={styles.trash}>
          <IconTrash /> {t.trash}
        </Link>
        <LinkButton to="/estimations/new" size="sm" leftSection={<IconPlus />}>
          {t.create}
        </LinkButton>
      </div>
      <Filters
        search={search}
        isFiltered={isFiltered}
        onChange={(changes) => void navigate({ search: (before) => ({ ...before, ...changes }), replace: true })}
      />
      {actions.notice}
      {list.isError && (
        <Notice
          kind="bad"
          action={
            <Button variant="default" size="compact-sm" onClick={() => void list.refetch()}>
              {texts.retry}
            </Button>
          }
        >
          {failureText(list.error)}
        </Notice>
      )}
      {list.isPending && <SkeletonRows rows={8} />}
      {isEmpty && !list.isPlaceholderData && (
        <Message title={t.noneTitle} text={t.none}>
          <LinkButton variant="default" to="/estimations" search={{}}>
            {t.clear}
          </LinkButton>
        </Message>
      )}
      {rows.length > 0 && <EstimationTable rows={rows} actions={actions} />}
      {rows.length > 0 && (
        <div className={styles.foot}>
          <span className="muted" aria-live="polite">
            {t.count(formatCount(rows.length))}
          </span>
          {list.hasNextPage && (
            <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {t.more}
            </Button>
          )}
        </div>
      )}
    </>
  );
}
