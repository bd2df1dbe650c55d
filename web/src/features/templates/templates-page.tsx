import { Button, NativeSelect } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, useState } from "react";
import type { Template } from "../../../../contract/endpoints/templates.ts";
import { currentSession, useSession } from "../../api/session.ts";
import type { First } from "../../app/first.ts";
import { IconPlus } from "../../ui/icons.tsx";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SearchField } from "../../ui/lists/search-field.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Message } from "../../ui/message.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { Part } from "../../ui/part.tsx";
import { Person } from "../../ui/person.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { estimationTexts } from "../estimations/texts.ts";
import page from "../profile/page.module.css";
import { PageHead } from "../profile/page-head.tsx";
import { templatesQuery } from "./queries.ts";
import { seenBy } from "./seen-by.ts";
import { TemplateMenu } from "./template-menu.tsx";
import styles from "./templates.module.css";
import { templateTexts as t } from "./texts.ts";

const MakeFromDialog = lazy(async () => ({ default: (await import("./make-dialog.tsx")).MakeFromDialog }));

const MINE = "mine";

interface Shown {
  readonly q?: string | undefined;
  readonly of?: string | undefined;
}

const shownBy = ({ q, of }: Shown, userId: string | undefined) =>
  templatesQuery({ q, ownerId: of === MINE ? userId : undefined });

export const first: First<Shown> = ({ search }) => [shownBy(search, currentSession()?.userId)];

/** The reader's templates, those of the reader's teams and those of the instance. */
export function TemplatesPage() {
  useTitle(t.title);
  const { q, of } = useSearch({ from: "/frame/signed-in/templates" });
  const navigate = useNavigate({ from: "/templates" });
  const userId = useSession()?.userId;
  const list = useInfiniteQuery({ ...shownBy({ q, of }, userId), placeholderData: keepPreviousData });
  const [isMaking, setMaking] = useState(false);
  const rows = list.data?.pages.flatMap(({ templates }) => templates) ?? [];
  const create = (
    <Button leftSection={<IconPlus />} onClick={() => setMaking(true)}>
      {t.create}
    </Button>
  );
  const dialog = isMaking && (
    <Part>
      <MakeFromDialog onClose={() => setMaking(false)} />
    </Part>
  );
  const crumb = <Link to="/estimations">{estimationTexts.estimations.title}</Link>;
  if (list.isSuccess && !list.isPlaceholderData && rows.length === 0 && q === undefined && of === undefined) {
    return (
      <>
        <p className={page.crumb}>{crumb}</p>
        <Message title={t.emptyTitle} text={t.empty}>
          {create}
        </Message>
        {dialog}
      </>
    );
  }
  return (
    <>
      <PageHead title={t.title} intro={t.intro} crumb={crumb}>
        {create}
      </PageHead>
      <search className={page.filters} aria-label={t.filters}>
        <SearchField
          label={t.search}
          className={page.search}
          q={q}
          onChange={(next) => void navigate({ search: { q: next, of }, replace: true })}
        />
        <NativeSelect
          aria-label={t.scope}
          data={Object.entries(t.scopes).map(([value, label]) => ({ value, label }))}
          value={of === MINE ? MINE : "all"}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ search: { q, of: value === MINE ? MINE : undefined }, replace: true })
          }
        />
      </search>
      <LoadFailure query={list} />
      {list.isPending && <SkeletonRows rows={6} />}
      {list.isSuccess && rows.length === 0 && <p className={page.none}>{t.none}</p>}
      {rows.length > 0 && <Templates rows={rows} userId={userId} />}
      {rows.length > 0 && <MoreRows counted={t.counted(rows.length)} list={list} />}
      {dialog}
    </>
  );
}

const { columns } = t;

const Templates = ({ rows, userId }: { readonly rows: readonly Template[]; readonly userId: string | undefined }) => (
  <table className={table.table}>
    <TableHead
      columns={[columns.name, columns.size, columns.seenBy, columns.owner, columns.made]}
      actions={columns.actions}
    />
    <tbody>
      {rows.map((template) => (
        <tr key={template.id}>
          <td className={table.main}>
            <Link to="/templates/$id" params={{ id: template.id }}>
              {template.name}
            </Link>
            {template.description && <span className={styles.description}>{template.description}</span>}
          </td>
          <td className={table.short} data-label={columns.size}>
            {t.size(template.nodes, template.options)}
          </td>
          <td data-label={columns.seenBy}>{seenBy(template)}</td>
          <td data-label={columns.owner}>
            {template.owner.id === userId ? t.you : <Person name={template.owner.name} />}
          </td>
          <td className={table.short} data-label={columns.made}>
            <Ago at={template.createdAt} />
          </td>
          <td className={table.actions}>
            <TemplateMenu template={template} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
