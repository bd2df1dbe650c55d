import { Button } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, startTransition, useRef, useState } from "react";
import type { First } from "../../app/first.ts";
import { IconCopy, IconPlus, IconTrash } from "../../ui/icons.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Message } from "../../ui/message.tsx";
import { Part } from "../../ui/part.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { useCommands } from "../palette/commands.ts";
import { EstimationTable } from "./estimation-table.tsx";
import { Filters } from "./list-filters.tsx";
import styles from "./list-page.module.css";
import type { ListSearch } from "./list-search.ts";
import { isFiltered } from "./list-search.ts";
import { listQuery, preferencesQuery } from "./queries.ts";
import { useRowActions } from "./row-actions.tsx";
import { type Pick, rangeOf, useRowKeys } from "./row-keys.ts";
import { estimationTexts } from "./texts.ts";

const t = estimationTexts.estimations;

const EmptyList = lazy(async () => ({ default: (await import("./empty-list.tsx")).EmptyList }));
const SelectionBar = lazy(async () => ({ default: (await import("./selection-bar.tsx")).SelectionBar }));
const ViewOptions = lazy(async () => ({ default: (await import("./view-options.tsx")).ViewOptions }));

const NOBODY: ReadonlySet<string> = new Set();

export const first: First<ListSearch> = ({ search }) => [listQuery(search), preferencesQuery];

export function ListPage() {
  useTitle(t.title);
  const search = useSearch({ from: "/frame/signed-in/estimations" });
  const navigate = useNavigate({ from: "/estimations" });
  const list = useInfiniteQuery({ ...listQuery(search), placeholderData: keepPreviousData });
  const actions = useRowActions();
  const preferences = useQuery(preferencesQuery);
  const [picked, setPicked] = useState(NOBODY);
  const [hasView, setView] = useState(false);
  const last = useRef("");
  const pick: Pick = (id, isRange) => {
    const ids = rows.map((row) => row.id);
    const range = new Set(rangeOf(ids, last.current, id));
    setPicked((before) => (isRange ? before.union(range) : before.symmetricDifference(new Set([id]))));
    last.current = id;
  };
  useRowKeys(pick, () => setPicked(NOBODY));
  useCommands(async () => {
    const { listCommands } = await import("./list-commands.ts");
    return listCommands(preferences.data?.savedFilters ?? [], isFiltered(search));
  });
  const rows = list.data?.pages.flatMap(({ estimations }) => estimations) ?? [];
  const owners = new Map(list.data?.pages.flatMap((page) => page.owners.map(({ id, name }) => [id, name])));
  const isEmpty = list.isSuccess && rows.length === 0;
  // Also where nothing is left: what was moved to the trash can be brought back.
  const selection = picked.size > 0 && (
    <Part key="selection">
      <SelectionBar rows={rows} picked={picked} onPick={setPicked} />
    </Part>
  );
  if (isEmpty && !isFiltered(search) && !list.isPlaceholderData) {
    return (
      <>
        {actions.notice}
        <Part fallback={<SkeletonRows rows={4} />}>
          <EmptyList />
        </Part>
        {selection}
        <p className={styles.below}>
          <Link to="/templates">{t.templates}</Link> · <Link to="/estimations/trash">{t.trash}</Link>
        </p>
      </>
    );
  }
  return (
    <>
      <div className={styles.head}>
        <h1>{t.title}</h1>
        <Link to="/templates" className={styles.side}>
          <IconCopy /> <span>{t.templates}</span>
        </Link>
        <Link to="/estimations/trash" className={styles.side}>
          <IconTrash /> <span>{t.trash}</span>
        </Link>
        <LinkButton to="/estimations/new" leftSection={<IconPlus />}>
          {t.create}
        </LinkButton>
      </div>
      <Filters
        view={
          <Part>
            {hasView ? (
              <ViewOptions search={search} preferences={preferences.data} />
            ) : (
              // Its content is loaded once it is pressed, and until then it stays as it is.
              <Button
                variant="default"
                aria-haspopup="dialog"
                aria-expanded={false}
                onClick={() => startTransition(() => setView(true))}
              >
                {t.view}
              </Button>
            )}
          </Part>
        }
        search={search}
        knownTags={rows.flatMap(({ tags }) => tags)}
        ownerName={owners.get(search.owner ?? "")}
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
      {rows.length > 0 && !preferences.isPending && (
        <EstimationTable
          rows={rows}
          owners={owners}
          actions={actions}
          picked={picked}
          onPick={pick}
          hidden={search.hide ?? preferences.data?.hiddenColumns ?? []}
          isByUpdate={search.sort !== "createdAt"}
        />
      )}
      {rows.length > 0 && <MoreRows counted={estimationTexts.estimations.counted(rows.length)} list={list} />}
      {selection}
    </>
  );
}
