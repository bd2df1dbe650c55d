import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { First } from "../../app/first.ts";
import { described } from "../../ui/hinted.ts";
import table from "../../ui/lists/table.module.css";
import { Ago } from "../../ui/numbers/ago.tsx";
import { formatCount } from "../../ui/numbers/format.ts";
import { ListPage } from "../profile/list-page.tsx";
import { CreateWebhook } from "./create-webhook.tsx";
import { StateMark } from "./mark.tsx";
import { webhooksQuery } from "./queries.ts";
import { webhookTexts } from "./texts.ts";
import styles from "./webhook-page.module.css";
import { stateOf } from "./webhook-state.ts";

const t = webhookTexts;
const { columns } = t;

export const first: First = () => [webhooksQuery];

export function WebhooksPage() {
  const list = useInfiniteQuery(webhooksQuery);
  const [isCreating, setCreating] = useState(false);
  const rows = list.data?.pages.flatMap(({ webhooks }) => webhooks) ?? [];
  return (
    <>
      {isCreating && <CreateWebhook onClose={() => setCreating(false)} />}
      <ListPage
        texts={t}
        list={list}
        isEmpty={rows.length === 0}
        counted={t.counted(rows.length)}
        onCreate={() => setCreating(true)}
      >
        {rows.length > 0 && (
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">{columns.url}</th>
                <th scope="col">{columns.state}</th>
                <th scope="col" className="number">
                  {columns.events}
                </th>
                <th scope="col">{columns.success}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((webhook) => (
                <tr key={webhook.id}>
                  <td className={table.main}>
                    <Link to="/profile/webhooks/$id" params={{ id: webhook.id }}>
                      {webhook.url}
                    </Link>
                    {webhook.description && <span className={styles.purpose}>{webhook.description}</span>}
                  </td>
                  <td>
                    <StateMark state={stateOf(webhook)} />
                  </td>
                  <td
                    className={`number ${table.short}`}
                    data-label={columns.events}
                    {...described(webhook.events.join(", "))}
                  >
                    {formatCount(webhook.events.length)}
                  </td>
                  <td className={table.short} data-label={columns.success}>
                    {webhook.health.lastSuccessAt ? <Ago at={webhook.health.lastSuccessAt} /> : t.never}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </ListPage>
    </>
  );
}
