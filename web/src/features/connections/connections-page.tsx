import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Connection } from "../../../../contract/endpoints/connections.ts";
import type { First } from "../../app/first.ts";
import { IconEdit, IconMore, IconTrash } from "../../ui/icons.tsx";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { ListPage } from "../profile/list-page.tsx";
import { profileTexts } from "../profile/texts.ts";
import { type Asked, ConnectionDialogs } from "./connection-dialogs.tsx";
import styles from "./connections-page.module.css";
import { connectionsQuery } from "./queries.ts";
import { connectionTexts } from "./texts.ts";

const t = connectionTexts;
const { columns } = t;

export const first: First = () => [connectionsQuery];

export function ConnectionsPage() {
  const list = useInfiniteQuery(connectionsQuery);
  const [asked, setAsked] = useState<Asked | null>(null);
  const rows = list.data?.pages.flatMap(({ connections }) => connections) ?? [];
  return (
    <>
      {asked && <ConnectionDialogs key={asked.about} asked={asked} onClose={() => setAsked(null)} />}
      <ListPage
        texts={t}
        list={list}
        isEmpty={rows.length === 0}
        counted={t.counted(rows.length)}
        onCreate={() => setAsked({ about: "create" })}
      >
        {rows.length > 0 && (
          <table className={table.table}>
            <TableHead
              columns={[columns.name, columns.target, columns.address, columns.token]}
              actions={profileTexts.actions}
            />
            <tbody>
              {rows.map((connection) => (
                <ConnectionRow key={connection.id} connection={connection} onAsk={setAsked} />
              ))}
            </tbody>
          </table>
        )}
      </ListPage>
    </>
  );
}

interface ConnectionRowProps {
  readonly connection: Connection;
  readonly onAsk: (asked: Asked) => void;
}

function ConnectionRow({ connection, onAsk }: ConnectionRowProps) {
  const { name, target, baseUrl, tokenSetAt, tokenRejectedAt } = connection;
  return (
    <tr>
      <td className={table.main}>{name}</td>
      <td data-label={columns.target}>{t.targets[target]}</td>
      <td className={styles.address} data-label={columns.address}>
        {baseUrl ?? t.itself}
      </td>
      <td className={table.short} data-label={columns.token}>
        {tokenRejectedAt ? (
          <span className={styles.bad}>
            {t.rejected} <Ago at={tokenRejectedAt} />
          </span>
        ) : (
          <>
            {t.tokenSet} <Ago at={tokenSetAt} />
          </>
        )}
      </td>
      <td className={table.actions}>
        <span className={styles.tools}>
          <Button variant="default" size="compact-sm" onClick={() => onAsk({ about: "check", connection })}>
            {t.check}
          </Button>
          <Menu label={profileTexts.actionsOf(name)} button={<IconMore />}>
            <MenuItem icon={<IconEdit />} onChoose={() => onAsk({ about: "edit", connection })}>
              {profileTexts.edit}
            </MenuItem>
            <MenuItem icon={<IconTrash />} onChoose={() => onAsk({ about: "remove", connection })}>
              {profileTexts.remove}
            </MenuItem>
          </Menu>
        </span>
      </td>
    </tr>
  );
}
