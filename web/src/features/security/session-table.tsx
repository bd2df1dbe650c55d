import { Button } from "@mantine/core";
import type { Session } from "../../../../contract/endpoints/auth.ts";
import { described } from "../../ui/hinted.ts";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { profileTexts } from "../profile/texts.ts";
import { securityTexts } from "./texts.ts";

const t = securityTexts;
const { sessionColumns: columns } = t;

interface SessionTableProps {
  readonly sessions: readonly Session[];
  /** Asks to end one; without it, none can be ended here. */
  readonly onEnd?: (session: Session) => void;
}

/** Where an account is signed in. */
export const SessionTable = ({ sessions, onEnd }: SessionTableProps) => (
  <table className={table.table}>
    <TableHead
      columns={[columns.device, columns.address, columns.signedIn, columns.lastUsed]}
      {...(onEnd ? { actions: profileTexts.actions } : {})}
    />
    <tbody>
      {sessions.map((session) => (
        <tr key={session.id}>
          <td className={table.main} {...described(session.userAgent)}>
            {session.device ?? t.unknownDevice}
            {session.current && ` (${t.thisDevice})`}
          </td>
          <td data-label={columns.address}>{session.ip}</td>
          <td className={table.short} data-label={columns.signedIn}>
            <Ago at={session.signedInAt} />
          </td>
          <td className={table.short} data-label={columns.lastUsed}>
            <Ago at={session.lastUsedAt} isStop={!onEnd || session.current} />
          </td>
          {onEnd && (
            <td className={table.actions}>
              {!session.current && (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-label={t.endOf(session.device ?? t.unknownDevice)}
                  onClick={() => onEnd(session)}
                >
                  {t.end}
                </Button>
              )}
            </td>
          )}
        </tr>
      ))}
    </tbody>
  </table>
);
