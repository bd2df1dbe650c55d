import { useQuery } from "@tanstack/react-query";
import type { InstanceStatus } from "../../../../contract/endpoints/admin.ts";
import type { First } from "../../app/first.ts";
import factList from "../../ui/facts.module.css";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import table from "../../ui/lists/table.module.css";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { formatCount } from "../../ui/numbers/format.ts";
import { PageHead } from "../profile/page-head.tsx";
import styles from "./admin.module.css";
import { formatBytes } from "./format-bytes.ts";
import { forAdministrators, statusQuery } from "./queries.ts";
import { adminTexts } from "./texts.ts";
import { Fact } from "./user-page.tsx";

const t = adminTexts.status;

export const first: First = () => forAdministrators([statusQuery]);

/** How the instance is. */
export function StatusPage() {
  const status = useQuery(statusQuery);
  return (
    <>
      <PageHead title={t.title} />
      <LoadFailure query={status} />
      {status.isPending && <SkeletonRows rows={8} />}
      {status.data && <Parts status={status.data} />}
    </>
  );
}

function Parts({ status }: { readonly status: InstanceStatus }) {
  const { database, queues, processes, limits } = status;
  const tables = [...database.tables].sort((a, b) => b.bytes - a.bytes);
  return (
    <>
      <Facts status={status} />
      <Figures
        title={t.processes}
        columns={[t.processColumns.process, t.processColumns.runs, t.processColumns.connections]}
        rows={processes.map(({ id, runs, connections }) => [id, t.runs[runs], formatCount(connections)])}
      />
      {queues.length === 0 ? (
        <section className={styles.section} aria-label={t.queues}>
          <h2>{t.queues}</h2>
          <p className={styles.none}>{t.nothingDue}</p>
        </section>
      ) : (
        <Figures
          title={t.queues}
          columns={[t.queueColumns.kind, t.queueColumns.due, t.queueColumns.age]}
          rows={queues.map(({ kind, due, ageSeconds }) => [kind, formatCount(due), formatCount(ageSeconds)])}
        />
      )}
      <Figures
        title={t.database(formatBytes(database.bytes))}
        columns={[t.tableColumns.table, t.tableColumns.size]}
        rows={tables.map(({ name, bytes }) => [name, formatBytes(bytes)])}
      />
      <Figures
        title={t.limits}
        columns={[t.limitColumns.limit, t.limitColumns.value]}
        rows={limits.map(({ name, value }) => [name, name.endsWith("Bytes") ? formatBytes(value) : formatCount(value)])}
      />
    </>
  );
}

function Facts({ status }: { readonly status: InstanceStatus }) {
  const { version, startedAt, migrations, lastMail, backup, failedDeliveries } = status;
  return (
    <dl className={factList.facts}>
      <Fact name={t.version}>{version}</Fact>
      <Fact name={t.since}>
        <Ago at={startedAt} isStop />
      </Fact>
      <Fact name={t.migrations}>{formatCount(migrations)}</Fact>
      <Fact name={t.backup}>{backup.lastAt ? <Ago at={backup.lastAt} isStop /> : t.noBackup}</Fact>
      <Fact name={t.lastMail}>
        {lastMail ? (
          <>
            <Ago at={lastMail.at} isStop />
            {", "}
            {lastMail.fault === null ? t.sent : <span className={styles.bad}>{lastMail.fault}</span>}
          </>
        ) : (
          t.noMail
        )}
      </Fact>
      <Fact name={t.failed}>{formatCount(failedDeliveries)}</Fact>
    </dl>
  );
}

interface FiguresProps {
  readonly title: string;
  /** The first says what a row is about; the last ones are numbers. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const Figures = ({ title, columns, rows }: FiguresProps) => (
  <section className={styles.section} aria-label={title}>
    <h2>{title}</h2>
    <table className={table.table}>
      <thead>
        <tr>
          {columns.map((column, at) => (
            <th key={column} scope="col" className={at === 0 ? undefined : "number"}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first, ...others]) => (
          <tr key={first}>
            <td className={table.main}>{first}</td>
            {others.map((value, at) => (
              <td key={columns[at + 1]} className={styles.number} data-label={columns[at + 1]}>
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
