import { Button } from "@mantine/core";
import { useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { First } from "../../app/first.ts";
import { FailedPage } from "../../ui/failed-page.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { Message } from "../../ui/message.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { estimationQuery } from "../estimations/queries.ts";
import { EstimationHead } from "../states/estimation-head.tsx";
import { threadsQuery, versionsQuery } from "../versions/queries.ts";
import { type Choices, CURRENT, choicesOf, isEstimation, type OtherEstimations } from "./choices.ts";
import styles from "./compare.module.css";
import { ComparedTree } from "./compared-tree.tsx";
import { ContentSelect } from "./content-select.tsx";
import { type Compared, comparedQuery, contentQuery, othersQuery } from "./queries.ts";
import { type Shown, SideBySide } from "./side-by-side.tsx";
import { compareTexts as t } from "./texts.ts";

export const first: First = ({ params: { id } }) => [
  estimationQuery(id),
  versionsQuery(id, undefined),
  threadsQuery(id),
];

const NO_OTHERS: OtherEstimations = { newest: [], hasMore: false };

/** Up to five contents as one tree, of this estimation and of others, with what differs between two of them marked. */
export function ComparePage() {
  const { id } = useParams({ from: "/frame/signed-in/estimations/$id/compare" });
  const search = useSearch({ from: "/frame/signed-in/estimations/$id/compare" });
  const navigate = useNavigate({ from: "/estimations/$id/compare" });
  const estimation = useQuery(estimationQuery(id));
  const versions = useInfiniteQuery(versionsQuery(id, undefined));
  const threads = useQuery(threadsQuery(id));
  const estimations = useQuery(othersQuery(id)).data ?? NO_OTHERS;
  const known = versions.data?.pages.flatMap((page) => page.versions) ?? [];
  const to = search.to ?? CURRENT;
  // What is there now can only be compared with another estimation, or from a version on.
  const from = search.from ?? (isEstimation(to) ? CURRENT : known[0]?.id);
  const compared = useQuery({ ...comparedQuery(id, from ?? "", to), enabled: from !== undefined });
  useTitle(estimation.data && t.title(estimation.data.title));
  const failed = [estimation, versions, threads, compared].find(({ data, error }) => data === undefined && error);
  if (failed) return <FailedPage error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!estimation.data || !versions.data || !threads.data) return <SkeletonRows rows={10} />;
  const choices = choicesOf(known, threads.data);
  const go = (change: typeof search) => void navigate({ search: { ...search, ...change }, replace: true, hash: "" });
  const shared = { choices, estimations };
  const toPicker = (
    <ContentSelect
      {...shared}
      label={t.to}
      without={[from ?? CURRENT, ...(from === CURRENT ? choices.keys() : [])]}
      value={to}
      onPick={(next) => go({ to: next })}
    />
  );
  return (
    <>
      <EstimationHead estimation={estimation.data} />
      {from === undefined ? (
        <Message level={2} title={t.emptyTitle} text={t.empty}>
          <LinkButton to="/estimations/$id/versions" params={{ id }}>
            {t.toVersions}
          </LinkButton>
          {estimations.newest.length > 0 && (
            <ContentSelect
              {...shared}
              label={t.other}
              without={[...choices.keys()]}
              value=""
              onPick={(next) => go({ to: next })}
            />
          )}
        </Message>
      ) : (
        <>
          <div className={styles.pickers}>
            <ContentSelect
              {...shared}
              label={t.from}
              without={[to, ...(isEstimation(to) ? [] : [CURRENT])]}
              value={from}
              onPick={(next) => go({ from: next })}
            />
            {toPicker}
            {versions.hasNextPage && (
              <Button
                variant="default"
                loading={versions.isFetchingNextPage}
                onClick={() => void versions.fetchNextPage()}
              >
                {t.older}
              </Button>
            )}
            <Button className={styles.print} variant="default" onClick={() => print()}>
              {t.print}
            </Button>
          </div>
          {compared.data ? (
            <Contents
              key={`${from} ${to}`}
              estimationId={id}
              {...shared}
              ends={[from, to]}
              compared={compared.data}
              added={search.with ?? []}
              onShow={(ids) => go({ with: ids.length === 0 ? undefined : ids })}
            />
          ) : (
            <SkeletonRows rows={10} />
          )}
        </>
      )}
    </>
  );
}

interface ContentsProps {
  readonly estimationId: string;
  readonly choices: Choices;
  readonly estimations: OtherEstimations;
  readonly ends: readonly [from: string, to: string];
  readonly compared: Compared;
  /** Ids of the contents beside the two. */
  readonly added: readonly string[];
  readonly onShow: (ids: readonly string[]) => void;
}

const LOADED = { error: null, refetch: () => {} };

/** The tree of all contents, and their figures. */
function Contents({ estimationId, choices, estimations, ends, compared, added, onShow }: ContentsProps) {
  const ids = [...new Set(added)].filter((id) => !ends.includes(id));
  // One by one: what fails leaves the others alone.
  const queries = useQueries({ queries: ids.map((id) => contentQuery(estimationId, id)) });
  const nameOf = (id: string, name: string | null | undefined) =>
    choices.get(id) ??
    name ??
    estimations.newest.find((other) => other.id === id)?.title ??
    (isEstimation(id) ? t.otherColumn : t.olderVersion);
  const { from, to } = compared;
  const names = [nameOf(ends[0], from.name), nameOf(ends[1], to.name)] as const;
  const others = ids.map((id, at): Shown => {
    const { data: content, error, refetch } = queries[at] ?? { data: undefined, ...LOADED };
    return { id, name: nameOf(id, content?.name), content, query: { error, refetch } };
  });
  const shown: readonly Shown[] = [
    { id: ends[0], name: names[0], content: from, query: LOADED },
    { id: ends[1], name: names[1], content: to, query: LOADED },
    ...others,
  ];
  return (
    <>
      <ComparedTree
        compared={compared}
        names={ends.some(isEstimation) || ids.length > 0 ? names : undefined}
        others={others.flatMap(({ id, name, content }) => (content ? [{ id, name, content }] : []))}
      />
      <SideBySide choices={choices} estimations={estimations} shown={shown} onShow={onShow} />
    </>
  );
}
