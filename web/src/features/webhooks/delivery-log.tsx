import { Button, NativeSelect } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Delivery, Webhook } from "../../../../contract/endpoints/webhooks.ts";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import table from "../../ui/lists/table.module.css";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { formatCount } from "../../ui/numbers/format.ts";
import page from "../profile/page.module.css";
import { type LogSearch, readLogSearch } from "./log-search.ts";
import { DeliveryMark } from "./mark.tsx";
import { catalogueQuery, deliveriesQuery } from "./queries.ts";
import { RedeliverFailed } from "./redeliver-failed.tsx";
import { deliveryTexts } from "./texts.ts";
import styles from "./webhook-page.module.css";

const t = deliveryTexts;
const { columns } = t;

/** What was sent to a webhook, filtered as the address says. */
export function DeliveryLog({ webhook: { id, active } }: { readonly webhook: Webhook }) {
  const search = useSearch({ from: "/frame/signed-in/profile/webhooks/$id" });
  const list = useInfiniteQuery({ ...deliveriesQuery(id, search), placeholderData: keepPreviousData });
  const [isAsked, setAsked] = useState(false);
  const rows = list.data?.pages.flatMap(({ deliveries }) => deliveries) ?? [];
  const isFiltered = search.status !== undefined || search.event !== undefined;
  return (
    <section aria-label={t.title}>
      <div className={styles.bar}>
        <h2>{t.title}</h2>
        <Filters search={search} />
        {active && (
          <Button variant="default" onClick={() => setAsked(true)}>
            {t.redeliverFailed}
          </Button>
        )}
      </div>
      <LoadFailure query={list} />
      {list.isPending && <SkeletonRows rows={4} />}
      {list.isSuccess && rows.length === 0 && <p className={page.none}>{isFiltered ? t.noneMatches : t.none}</p>}
      {rows.length > 0 && (
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{columns.event}</th>
              <th scope="col">{columns.status}</th>
              <th scope="col">{columns.response}</th>
              <th scope="col" className="number">
                {columns.attempts}
              </th>
              <th scope="col">{columns.created}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} />
            ))}
          </tbody>
        </table>
      )}
      {rows.length > 0 && <MoreRows counted={t.counted(rows.length)} list={list} />}
      {isAsked && <RedeliverFailed webhookId={id} onClose={() => setAsked(false)} />}
    </section>
  );
}

function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const { id, webhookId, event, status, attempts, attemptCount, createdAt } = delivery;
  const last = attempts.at(-1);
  return (
    <tr>
      <td className={table.main}>
        <Link to="/profile/webhooks/$id/deliveries/$deliveryId" params={{ id: webhookId, deliveryId: id }}>
          {event}
        </Link>
      </td>
      <td>
        <DeliveryMark status={status} />
      </td>
      <td data-label={columns.response}>{last && (last.responseStatus ?? t.noResponse)}</td>
      <td className={`number ${table.short}`} data-label={columns.attempts}>
        {formatCount(attemptCount)}
      </td>
      <td className={table.short} data-label={columns.created}>
        <Ago at={createdAt} />
      </td>
    </tr>
  );
}

function Filters({ search }: { readonly search: LogSearch }) {
  const navigate = useNavigate({ from: "/profile/webhooks/$id" });
  const catalogue = useQuery(catalogueQuery);
  const names = new Set([...(catalogue.data?.map(({ name }) => name) ?? []), ...(search.event ? [search.event] : [])]);
  const choose = (change: Record<string, string>) =>
    void navigate({ search: readLogSearch({ ...search, ...change }), replace: true });
  return (
    <>
      <NativeSelect
        className={styles.select}
        aria-label={t.status}
        value={search.status ?? ""}
        onChange={(event) => choose({ status: event.currentTarget.value })}
        data={[
          { value: "", label: t.anyStatus },
          ...Object.entries(t.statuses).map(([value, label]) => ({ value, label })),
        ]}
      />
      <NativeSelect
        className={styles.select}
        aria-label={t.event}
        value={search.event ?? ""}
        onChange={(event) => choose({ event: event.currentTarget.value })}
        data={[{ value: "", label: t.anyEvent }, ...[...names].map((value) => ({ value, label: value }))]}
      />
    </>
  );
}
