import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { profileTexts } from "../../texts-of-profile.ts";
import { Ago } from "../../ui/ago.tsx";
import { formatCount } from "../../ui/format.ts";
import { IconPlus } from "../../ui/icons.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Message } from "../../ui/message.tsx";
import { MoreRows } from "../../ui/more-rows.tsx";
import { SkeletonRows } from "../../ui/skeleton-rows.tsx";
import table from "../../ui/table.module.css";
import { useTitle } from "../../ui/use-title.ts";
import page from "../profile/page.module.css";
import { PageHead } from "../profile/page-head.tsx";
import { CreateWebhook } from "./create-webhook.tsx";
import { StateMark } from "./mark.tsx";
import { webhooksQuery } from "./queries.ts";
import styles from "./webhook-page.module.css";
import { stateOf } from "./webhook-state.ts";

const t = profileTexts.webhooks;
const { columns } = t;

export function WebhooksPage() {
  useTitle(t.title);
  const list = useInfiniteQuery(webhooksQuery);
  const [isCreating, setCreating] = useState(false);
  const rows = list.data?.pages.flatMap(({ webhooks }) => webhooks) ?? [];
  const create = (
    <Button leftSection={<IconPlus />} onClick={() => setCreating(true)}>
      {t.create}
    </Button>
  );
  return (
    <>
      {isCreating && <CreateWebhook onClose={() => setCreating(false)} />}
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
          {list.isPending && <SkeletonRows rows={4} />}
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
                      title={webhook.events.join(", ")}
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
          {list.isSuccess && <MoreRows count={rows.length} list={list} />}
        </>
      )}
    </>
  );
}
