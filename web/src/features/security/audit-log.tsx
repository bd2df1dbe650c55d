import { useInfiniteQuery } from "@tanstack/react-query";
import type { AuditEvent } from "../../../../contract/endpoints/audit-log.ts";
import { readUserAgent } from "../../../../domain/user-agent.ts";
import { described } from "../../ui/hinted.ts";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { auditQuery } from "./queries.ts";
import styles from "./security-page.module.css";
import { securityTexts } from "./texts.ts";

const t = securityTexts;
const { columns } = t;

/** What should alarm a reader who did not do it. */
const ALARMING: readonly AuditEvent["event"][] = [
  "session.login_failed",
  "password.change_failed",
  "google.sign_in_failed",
];

export function AuditLog() {
  const log = useInfiniteQuery(auditQuery);
  const rows = log.data?.pages.flatMap(({ events }) => events) ?? [];
  return (
    <>
      <LoadFailure query={log} />
      {log.isPending && <SkeletonRows rows={5} />}
      {rows.length > 0 && (
        <table className={table.table}>
          <TableHead columns={[columns.event, columns.when, columns.from, columns.with]} />
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <td className={table.main}>
                  <span className={ALARMING.includes(row.event) ? styles.bad : undefined}>{t.events[row.event]}</span>
                </td>
                <td className={table.short}>
                  <Ago at={row.createdAt} isStop />
                </td>
                <td data-label={columns.from}>{row.ip ?? doneBy(row)}</td>
                <td data-label={columns.with} {...described(row.userAgent)}>
                  {row.userAgent && agentText(row.userAgent)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {log.isSuccess && <MoreRows counted={t.counted(rows.length)} list={log} />}
    </>
  );
}

/** Says who did it, in a team an admin of it. */
function doneBy({ event, actor }: AuditEvent): string {
  if (actor === null) return t.onCommandLine;
  return event.startsWith("team.") ? actor.name : t.byAdministrator(actor.name);
}

function agentText(userAgent: string): string {
  const { browser, system } = readUserAgent(userAgent);
  return browser && system ? t.browserOn(browser, system) : (browser ?? userAgent);
}
