import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Connection } from "../../../../contract/connections.ts";
import { profileTexts } from "../../texts-of-profile.ts";
import { Ago } from "../../ui/ago.tsx";
import { IconEdit, IconMore, IconPlus, IconTrash } from "../../ui/icons.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Message } from "../../ui/message.tsx";
import { MoreRows } from "../../ui/more-rows.tsx";
import { SkeletonRows } from "../../ui/skeleton-rows.tsx";
import table from "../../ui/table.module.css";
import { useTitle } from "../../ui/use-title.ts";
import page from "../profile/page.module.css";
import { PageHead } from "../profile/page-head.tsx";
import { type Asked, ConnectionDialogs } from "./connection-dialogs.tsx";
import styles from "./connections-page.module.css";
import { connectionsQuery } from "./queries.ts";

const t = profileTexts.connections;
const { columns } = t;

export function ConnectionsPage() {
  useTitle(t.title);
  const list = useInfiniteQuery(connectionsQuery);
  const [asked, setAsked] = useState<Asked | null>(null);
  const rows = list.data?.pages.flatMap(({ connections }) => connections) ?? [];
  const create = (
    <Button leftSection={<IconPlus />} onClick={() => setAsked({ about: "create" })}>
      {t.create}
    </Button>
  );
  return (
    <>
      {asked && <ConnectionDialogs key={asked.about} asked={asked} onClose={() => setAsked(null)} />}
      {list.isSuccess && rows.length === 0 ? (
        <Message title={t.emptyTitle} text={t.intro}>
          {create}
        </Message>
      ) : (
        <>
          <PageHead title={t.title} intro={t.intro}>
            {create}
          </PageHead>
          <div className={page.notices}>
            <LoadFailure query={list} />
          </div>
          {list.isPending && <SkeletonRows rows={3} />}
          {rows.length > 0 && (
            <table className={table.table}>
              <thead>
                <tr>
                  <th scope="col">{columns.name}</th>
                  <th scope="col">{columns.target}</th>
                  <th scope="col">{columns.address}</th>
                  <th scope="col">{columns.token}</th>
                  <th scope="col">
                    <span className="unseen">{profileTexts.actions}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((connection) => (
                  <ConnectionRow key={connection.id} connection={connection} onAsk={setAsked} />
                ))}
              </tbody>
            </table>
          )}
          {list.isSuccess && <MoreRows count={rows.length} list={list} />}
        </>
      )}
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
