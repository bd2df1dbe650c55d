import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { AccountDetails } from "../../../../contract/endpoints/admin.ts";
import type { First } from "../../app/first.ts";
import factList from "../../ui/facts.module.css";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { formatCount } from "../../ui/numbers/format.ts";
import page from "../profile/page.module.css";
import { PageHead } from "../profile/page-head.tsx";
import { SessionTable } from "../security/session-table.tsx";
import { AccountActions } from "./account-actions.tsx";
import styles from "./admin.module.css";
import { formatBytes } from "./format-bytes.ts";
import { accountQuery, forAdministrators } from "./queries.ts";
import { adminTexts } from "./texts.ts";

const t = adminTexts.user;

export const first: First = ({ params: { id } }) => forAdministrators([accountQuery(id)]);

/** One account: what it has, and what administrators do to it. */
export function UserPage() {
  const { id } = useParams({ from: "/frame/signed-in/admin/users/$id" });
  const account = useQuery(accountQuery(id));
  const crumb = <Link to="/admin/users">{t.all}</Link>;
  if (!account.data) {
    return (
      <>
        <PageHead title={adminTexts.users.title} crumb={crumb} />
        <LoadFailure query={account} />
        {account.isPending && <SkeletonRows rows={6} />}
      </>
    );
  }
  const { data } = account;
  return (
    <>
      <PageHead title={data.name} crumb={crumb}>
        <AccountActions account={data} />
      </PageHead>
      <div className={styles.notices}>
        <LoadFailure query={account} />
        {data.work && <Notice kind="info">{t.work[data.work]}</Notice>}
      </div>
      <Facts account={data} />
      <Section title={t.quotas}>
        <Quotas quotas={data.quotas} />
      </Section>
      <Section title={t.sessions}>
        {data.sessions.length === 0 ? <None>{t.noSessions}</None> : <SessionTable sessions={data.sessions} />}
      </Section>
      <Section title={t.keys}>
        {data.apiKeys.length === 0 ? <None>{t.noKeys}</None> : <Keys keys={data.apiKeys} />}
      </Section>
      <Section title={t.webhooks}>
        {data.webhooks.length === 0 ? <None>{t.noWebhooks}</None> : <Webhooks webhooks={data.webhooks} />}
      </Section>
    </>
  );
}

const None = ({ children }: { readonly children: string }) => <p className={styles.none}>{children}</p>;

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={styles.section} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
);

function Facts({ account }: { readonly account: AccountDetails }) {
  const { facts } = t;
  return (
    <>
      <dl className={factList.facts}>
        <Fact name={facts.email}>
          {account.email}
          {account.emailVerifiedAt === null && ` (${t.notConfirmed})`}
        </Fact>
        <Fact name={facts.created}>
          <Ago at={account.createdAt} isStop />
        </Fact>
        <Fact name={facts.lastSignIn}>
          {account.lastSignInAt ? <Ago at={account.lastSignInAt} isStop /> : adminTexts.users.never}
        </Fact>
        <Fact name={facts.signsInWith}>{account.hasPassword ? t.password : t.provider}</Fact>
        {account.disabledAt && (
          <Fact name={facts.disabled}>
            <span className={styles.bad}>
              <Ago at={account.disabledAt} isStop />
            </span>
          </Fact>
        )}
      </dl>
      <p className={page.crumb}>
        <Link to="/admin/audit-log" search={{ userId: account.id }}>
          {t.activity}
        </Link>
        {account.isAdministrator && (
          <>
            {" · "}
            <Link to="/admin/audit-log" search={{ actorId: account.id }}>
              {t.acts}
            </Link>
          </>
        )}
      </p>
    </>
  );
}

export const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function Quotas({ quotas }: Pick<AccountDetails, "quotas">) {
  const { quotaColumns: columns } = t;
  const shown = (quota: string, value: number) => (quota.endsWith("Bytes") ? formatBytes(value) : formatCount(value));
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{columns.quota}</th>
          <th scope="col" className="number">
            {columns.used}
          </th>
          <th scope="col" className="number">
            {columns.limit}
          </th>
        </tr>
      </thead>
      <tbody>
        {quotas.map(({ quota, used, limit }) => (
          <tr key={quota}>
            <td className={table.main}>{t.quotaNames[quota]}</td>
            <td className={styles.number} data-label={columns.used}>
              {shown(quota, used)}
            </td>
            <td className={styles.number} data-label={columns.limit}>
              {shown(quota, limit)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Keys({ keys }: { readonly keys: AccountDetails["apiKeys"] }) {
  const { keyColumns: columns } = t;
  return (
    <table className={table.table}>
      <TableHead columns={[columns.key, columns.scopes, columns.lastUsed, columns.expires]} />
      <tbody>
        {keys.map(({ id, prefix, scopes, lastUsedAt, expiresAt }) => (
          <tr key={id}>
            <td className={table.main}>
              <span className={page.code}>{prefix}…</span>
            </td>
            <td data-label={columns.scopes}>{scopes.join(", ")}</td>
            <td className={table.short} data-label={columns.lastUsed}>
              {lastUsedAt ? <Ago at={lastUsedAt} isStop /> : t.neverUsed}
            </td>
            <td className={table.short} data-label={columns.expires}>
              {expiresAt ? <Ago at={expiresAt} isStop={lastUsedAt === null} /> : t.neverExpires}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Webhooks({ webhooks }: Pick<AccountDetails, "webhooks">) {
  const { webhookColumns: columns } = t;
  return (
    <table className={table.table}>
      <TableHead columns={[columns.host, columns.state, columns.created]} />
      <tbody>
        {webhooks.map(({ id, host, active, createdAt }) => (
          <tr key={id}>
            <td className={table.main}>{host}</td>
            <td data-label={columns.state}>{active ? t.active : t.paused}</td>
            <td className={table.short} data-label={columns.created}>
              <Ago at={createdAt} isStop />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
