import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { DeliveryDetail } from "../../../../contract/endpoints/webhooks.ts";
import { api } from "../../api/client.ts";
import { failureText, isRefusal } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import type { First } from "../../app/first.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import factList from "../../ui/facts.module.css";
import { described } from "../../ui/hinted.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Message } from "../../ui/message.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Ago, Due } from "../../ui/numbers/ago.tsx";
import page from "../profile/page.module.css";
import { PageHead } from "../profile/page-head.tsx";
import { Attempts } from "./attempts.tsx";
import { Code, HeaderLines } from "./code.tsx";
import { curlOf } from "./curl.ts";
import { DeliveryMark } from "./mark.tsx";
import { deliveryQuery, isUnderWay, webhookQuery } from "./queries.ts";
import { deliveryTexts, webhookTexts } from "./texts.ts";
import actions from "./webhook-actions.module.css";
import styles from "./webhook-page.module.css";

const t = deliveryTexts;

export const first: First = ({ params: { id, deliveryId } }) => [webhookQuery(id), deliveryQuery(id, deliveryId)];

export function DeliveryPage() {
  const { id, deliveryId } = useParams({ from: "/frame/signed-in/profile/webhooks/$id/deliveries/$deliveryId" });
  const webhook = useQuery(webhookQuery(id));
  const delivery = useQuery(deliveryQuery(id, deliveryId));
  const isMissing = webhook.data === undefined || delivery.data === undefined;
  if (isMissing && [webhook.error, delivery.error].some((error) => isRefusal(error, "not_found"))) {
    return (
      <Message title={t.unknownTitle} text={t.unknown}>
        <LinkButton to="/profile/webhooks/$id" params={{ id }}>
          {t.toWebhook}
        </LinkButton>
      </Message>
    );
  }
  if (isMissing && webhook.error) return <LoadFailure query={webhook} />;
  if (isMissing && delivery.error) return <LoadFailure query={delivery} />;
  if (webhook.data === undefined || delivery.data === undefined) return <SkeletonRows rows={8} />;
  return <Details key={deliveryId} delivery={delivery.data} url={webhook.data.url} />;
}

interface DetailsProps {
  readonly delivery: DeliveryDetail;
  /** Where it goes. */
  readonly url: string;
}

function Details({ delivery, url }: DetailsProps) {
  const { id: deliveryId, webhookId: id, event, status, attempts, requestHeaders, requestBody } = delivery;
  return (
    <>
      <PageHead
        title={event}
        crumb={
          <>
            <Link to="/profile/webhooks">{webhookTexts.title}</Link> /{" "}
            <Link to="/profile/webhooks/$id" params={{ id }}>
              {url}
            </Link>
          </>
        }
      >
        <DeliveryMark status={status} />
      </PageHead>
      <div className={actions.actions}>
        <Redeliver delivery={delivery} />
        <CopyButton text={curlOf({ url, headers: requestHeaders, body: requestBody })} label={t.curl} />
      </div>
      <Facts delivery={delivery} />
      <h2 className={styles.subtitle}>{t.attempts}</h2>
      {attempts.length === 0 ? <p className="muted">{t.noAttempts}</p> : <Attempts attempts={attempts} />}
      <h2 className={styles.subtitle}>{t.request}</h2>
      <p className={page.intro}>{t.signedNow}</p>
      <HeaderLines label={t.headers} headers={requestHeaders} />
      <Code key={deliveryId} label={t.body} text={requestBody} />
    </>
  );
}

function Redeliver({ delivery }: Pick<DetailsProps, "delivery">) {
  const { id: deliveryId, webhookId: id } = delivery;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const redeliver = useMutation({
    mutationFn: async () => (await api.redeliver({ params: { id, deliveryId } })).data.delivery.id,
    onSuccess: async (again) => {
      void queries.invalidateQueries({ queryKey: keys.deliveries(id) });
      await navigate({ to: "/profile/webhooks/$id/deliveries/$deliveryId", params: { id, deliveryId: again } });
    },
  });
  const isWaiting = isUnderWay(delivery);
  return (
    <>
      <Button
        loading={redeliver.isPending}
        disabled={isWaiting}
        {...described(isWaiting ? t.underWay : undefined)}
        onClick={() => redeliver.mutate()}
      >
        {t.redeliver}
      </Button>
      {redeliver.isError && <Notice kind="bad">{failureText(redeliver.error)}</Notice>}
    </>
  );
}

function Facts({ delivery }: Pick<DetailsProps, "delivery">) {
  const { id, webhookId, createdAt, completedAt, nextAttemptAt, redeliveryOf } = delivery;
  const times = [
    [t.created, createdAt],
    [t.ended, completedAt],
    [t.next, nextAttemptAt],
  ] as const;
  return (
    <dl className={factList.facts}>
      <div>
        <dt>{t.id}</dt>
        <dd className={page.code}>{id}</dd>
      </div>
      {times.map(
        ([label, at]) =>
          at && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{label === t.next ? <Due at={at} /> : <Ago at={at} isStop />}</dd>
            </div>
          ),
      )}
      {redeliveryOf && (
        <div>
          <dt>{t.again}</dt>
          <dd className={page.code}>
            <Link
              to="/profile/webhooks/$id/deliveries/$deliveryId"
              params={{ id: webhookId, deliveryId: redeliveryOf }}
            >
              {redeliveryOf}
            </Link>
          </dd>
        </div>
      )}
    </dl>
  );
}
