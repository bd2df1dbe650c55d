import { NativeSelect } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { Account } from "../../../../contract/endpoints/admin.ts";
import type { First } from "../../app/first.ts";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SearchField } from "../../ui/lists/search-field.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { Person } from "../../ui/person.tsx";
import page from "../profile/page.module.css";
import { PageHead } from "../profile/page-head.tsx";
import styles from "./admin.module.css";
import { type AccountSearch, readAccountSearch } from "./admin-search.ts";
import { accountsQuery, forAdministrators } from "./queries.ts";
import { adminTexts } from "./texts.ts";

const t = adminTexts.users;
const { columns } = t;

export const first: First<AccountSearch> = ({ search }) => forAdministrators([accountsQuery(search)]);

/** All accounts, searched by name or address. */
export function UsersPage() {
  const search = useSearch({ from: "/frame/signed-in/admin/users" });
  const navigate = useNavigate({ from: "/admin/users" });
  const list = useInfiniteQuery({ ...accountsQuery(search), placeholderData: keepPreviousData });
  const rows = list.data?.pages.flatMap(({ accounts }) => accounts) ?? [];
  const choose = (change: AccountSearch) =>
    void navigate({ search: readAccountSearch({ ...search, ...change }), replace: true });
  return (
    <>
      <PageHead title={t.title} />
      <search className={page.filters}>
        <SearchField label={t.search} className={page.search} q={search.q} onChange={(q) => choose({ q })} />
        <NativeSelect
          className={styles.select}
          aria-label={t.state}
          value={search.state ?? ""}
          onChange={({ currentTarget: { value } }) => choose(readAccountSearch({ ...search, state: value }))}
          data={[
            { value: "", label: t.anyState },
            ...Object.entries(t.states).map(([value, label]) => ({ value, label })),
          ]}
        />
      </search>
      <LoadFailure query={list} />
      {list.isPending && <SkeletonRows rows={6} />}
      {list.isSuccess && rows.length === 0 && <p className={styles.none}>{t.none}</p>}
      {rows.length > 0 && (
        <>
          <table className={table.table}>
            <TableHead columns={[columns.user, columns.email, columns.state, columns.lastSignIn, columns.created]} />
            <tbody>
              {rows.map((account) => (
                <AccountRow key={account.id} account={account} />
              ))}
            </tbody>
          </table>
          <MoreRows counted={t.counted(rows.length)} list={list} />
        </>
      )}
    </>
  );
}

const AccountRow = ({ account }: { readonly account: Account }) => (
  <tr>
    <td className={table.main}>
      <Person name={account.name}>
        <Link to="/admin/users/$id" params={{ id: account.id }}>
          {account.name}
        </Link>
      </Person>
    </td>
    <td data-label={columns.email}>{account.email}</td>
    <td data-label={columns.state}>
      <States account={account} />
    </td>
    <td className={table.short} data-label={columns.lastSignIn}>
      {account.lastSignInAt ? <Ago at={account.lastSignInAt} /> : t.never}
    </td>
    <td className={table.short} data-label={columns.created}>
      <Ago at={account.createdAt} />
    </td>
  </tr>
);

/** What an account is, beside a user's. */
const States = ({ account: { disabledAt, isAdministrator } }: { readonly account: Account }) => (
  <>{disabledAt ? <span className={styles.bad}>{t.disabled}</span> : isAdministrator && t.administrator}</>
);
