import { Button, NativeSelect, TextInput } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { InstanceEvent } from "../../../../contract/endpoints/admin.ts";
import type { First } from "../../app/first.ts";
import { described } from "../../ui/hinted.ts";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { Person } from "../../ui/person.tsx";
import page from "../profile/page.module.css";
import { PageHead } from "../profile/page-head.tsx";
import { securityTexts } from "../security/texts.ts";
import styles from "./admin.module.css";
import { type EventSearch, readEventSearch } from "./admin-search.ts";
import { eventsQuery, forAdministrators } from "./queries.ts";
import { adminTexts } from "./texts.ts";

const t = adminTexts.log;
const { columns } = t;

export const first: First<EventSearch> = ({ search }) => forAdministrators([eventsQuery(search)]);

/** What happened to all accounts, filtered as the address says. */
export function AuditPage() {
  const search = useSearch({ from: "/frame/signed-in/admin/audit-log" });
  const list = useInfiniteQuery({ ...eventsQuery(search), placeholderData: keepPreviousData });
  const rows = list.data?.pages.flatMap(({ events }) => events) ?? [];
  return (
    <>
      <PageHead title={t.title} />
      <Filters search={search} />
      <LoadFailure query={list} />
      {list.isPending && <SkeletonRows rows={8} />}
      {list.isSuccess && rows.length === 0 && <p className={styles.none}>{t.none}</p>}
      {rows.length > 0 && (
        <>
          <table className={table.table}>
            <TableHead columns={[columns.event, columns.user, columns.by, columns.when, columns.from]} />
            <tbody>
              {rows.map((event) => (
                <EventRow key={event.id} event={event} />
              ))}
            </tbody>
          </table>
          <MoreRows counted={t.counted(rows.length)} list={list} />
        </>
      )}
    </>
  );
}

function EventRow({ event: { event, user, actor, otherUser, createdAt, ip } }: { readonly event: InstanceEvent }) {
  // An erased account has no address any more, and its events do not say where from it did something.
  const isErased = user !== null && !user.email.includes("@");
  const own = ip !== null ? t.themselves : isErased ? t.unknownWho : securityTexts.onCommandLine;
  return (
    <tr>
      <td className={table.main}>{securityTexts.events[event]}</td>
      <td data-label={columns.user}>
        {user ? (
          <Person name={user.name}>
            <Link to="/admin/users/$id" params={{ id: user.id }} {...described(user.email)}>
              {user.name}
            </Link>
          </Person>
        ) : (
          t.unknown
        )}
        {otherUser && ` ${t.about(otherUser.name)}`}
      </td>
      <td data-label={columns.by}>{actor ? <Person name={actor.name} /> : own}</td>
      <td className={table.short} data-label={columns.when}>
        <Ago at={createdAt} isStop={user === null} />
      </td>
      <td data-label={columns.from}>{ip}</td>
    </tr>
  );
}

function Filters({ search }: { readonly search: EventSearch }) {
  const navigate = useNavigate({ from: "/admin/audit-log" });
  const choose = (change: Record<string, string>) =>
    void navigate({ search: readEventSearch({ ...search, ...change }), replace: true });
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <search className={page.filters}>
      <NativeSelect
        className={styles.select}
        label={t.event}
        value={search.event ?? ""}
        onChange={({ currentTarget: { value } }) => choose({ event: value })}
        data={[
          { value: "", label: t.anyEvent },
          ...Object.entries(securityTexts.events).map(([value, label]) => ({ value, label })),
        ]}
      />
      <TextInput
        label={t.from}
        type="date"
        value={search.from ?? ""}
        onChange={({ currentTarget: { value } }) => choose({ from: value })}
      />
      <TextInput
        label={t.to}
        type="date"
        value={search.to ?? ""}
        onChange={({ currentTarget: { value } }) => choose({ to: value })}
      />
      {isFiltered && (
        <Button variant="default" onClick={() => void navigate({ search: {}, replace: true })}>
          {search.userId || search.actorId
            ? `${t.clear} (${(search.userId ? t.ofUser : t.byUser).toLowerCase()})`
            : t.clear}
        </Button>
      )}
    </search>
  );
}
