import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { IconPlus, IconTrash } from "../../ui/icons.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Message } from "../../ui/message.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { useAddExamples } from "./add-examples.tsx";
import { EstimationTable } from "./estimation-table.tsx";
import { Filters } from "./list-filters.tsx";
import styles from "./list-page.module.css";
import { isFiltered } from "./list-search.ts";
import { listQuery } from "./queries.ts";
import { useRowActions } from "./row-actions.tsx";
import { estimationTexts } from "./texts.ts";

const t = estimationTexts.estimations;

export function ListPage() {
  useTitle(t.title);
  const search = useSearch({ from: "/signed-in/estimations" });
  const navigate = useNavigate({ from: "/estimations" });
  const list = useInfiniteQuery({ ...listQuery(search), placeholderData: keepPreviousData });
  const actions = useRowActions();
  const examples = useAddExamples();
  const rows = list.data?.pages.flatMap(({ estimations }) => estimations) ?? [];
  const owners = new Map(list.data?.pages.flatMap((page) => page.owners.map(({ id, name }) => [id, name])));
  const isEmpty = list.isSuccess && rows.length === 0;
  if (isEmpty && !isFiltered(search) && !list.isPlaceholderData) {
    return (
      <>
        {actions.notice}
        {examples.notice}
        <Message title={t.emptyTitle} text={t.empty}>
          <LinkButton to="/estimations/new" leftSection={<IconPlus />}>
            {t.emptyAction}
          </LinkButton>
          {examples.button}
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
          <IconTrash /> <span>{t.trash}</span>
        </Link>
        <LinkButton to="/estimations/new" leftSection={<IconPlus />}>
          {t.create}
        </LinkButton>
      </div>
      <Filters
        search={search}
        knownTags={rows.flatMap(({ tags }) => tags)}
        onChange={(changes) => void navigate({ search: (before) => ({ ...before, ...changes }), replace: true })}
      />
      {actions.notice}
      <LoadFailure query={list} />
      {list.isPending && <SkeletonRows rows={8} />}
      {isEmpty && !list.isPlaceholderData && (
        <Message title={t.noneTitle} text={t.none}>
          <LinkButton variant="default" to="/estimations" search={{}}>
            {t.clear}
          </LinkButton>
        </Message>
      )}
      {rows.length > 0 && <EstimationTable rows={rows} owners={owners} actions={actions} />}
      {rows.length > 0 && <MoreRows counted={estimationTexts.estimations.counted(rows.length)} list={list} />}
    </>
  );
}
