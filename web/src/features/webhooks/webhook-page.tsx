import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { Webhook } from "../../../../contract/endpoints/webhooks.ts";
import { limits } from "../../../../contract/limits.ts";
import { isRefusal } from "../../api/failure.ts";
import type { First } from "../../app/first.ts";
import factList from "../../ui/facts.module.css";
import { LinkButton } from "../../ui/link-button.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Message } from "../../ui/message.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Ago, Due } from "../../ui/numbers/ago.tsx";
import { formatAgo } from "../../ui/numbers/format.ts";
import page from "../profile/page.module.css";
import { PageHead } from "../profile/page-head.tsx";
import { DeliveryLog } from "./delivery-log.tsx";
import { StateMark } from "./mark.tsx";
import { webhookQuery } from "./queries.ts";
import { webhookTexts } from "./texts.ts";
import { WebhookActions } from "./webhook-actions.tsx";
import styles from "./webhook-page.module.css";
import { stateOf } from "./webhook-state.ts";

const t = webhookTexts;

export const first: First = ({ params: { id } }) => [webhookQuery(id)];

export function WebhookPage() {
  const { id } = useParams({ from: "/frame/signed-in/profile/webhooks/$id" });
  const query = useQuery(webhookQuery(id));
  const webhook = query.data;
  if (webhook === undefined && isRefusal(query.error, "not_found")) {
    return (
      <Message title={t.unknownTitle} text={t.unknown}>
        <LinkButton to="/profile/webhooks">{t.toList}</LinkButton>
      </Message>
    );
  }
  if (webhook === undefined && query.error) return <LoadFailure query={query} />;
  if (webhook === undefined) return <SkeletonRows rows={8} />;
  return (
    <>
      <PageHead title={webhook.url} crumb={<Link to="/profile/webhooks">{t.title}</Link>}>
        <StateMark state={stateOf(webhook)} />
      </PageHead>
      {webhook.description && <p className={page.intro}>{webhook.description}</p>}
      <WebhookActions webhook={webhook} />
      <Trouble webhook={webhook} />
      <Facts webhook={webhook} />
      <DeliveryLog webhook={webhook} />
    </>
  );
}

/** Says why it receives nothing, or fails. */
function Trouble({ webhook }: { readonly webhook: Webhook }) {
  const state = stateOf(webhook);
  const { deactivatedAt, failuresInARow, failingSince } = webhook.health;
  if (state === "paused") return <Notice kind="info">{t.pausedNote}</Notice>;
  if (state === "stopped" && deactivatedAt)
    return <Notice kind="bad">{t.stoppedNote(formatAgo(deactivatedAt))}</Notice>;
  if (state !== "failing" || !failingSince) return null;
  return (
    <Notice kind="warn">
      {t.failing(failuresInARow, formatAgo(failingSince), limits.webhookFailuresInARow, limits.webhookFailingDays)}
    </Notice>
  );
}

function Facts({ webhook: { health, bodyFormat, createdAt, events } }: { readonly webhook: Webhook }) {
  return (
    <>
      <dl className={factList.facts}>
        <div>
          <dt>{t.facts.success}</dt>
          <dd>{health.lastSuccessAt ? <Ago at={health.lastSuccessAt} isStop /> : t.never}</dd>
        </div>
        {health.nextAttemptAt && (
          <div>
            <dt>{t.facts.next}</dt>
            <dd>
              <Due at={health.nextAttemptAt} />
            </dd>
          </div>
        )}
        <div>
          <dt>{t.facts.format}</dt>
          <dd>{t.formats[bodyFormat]}</dd>
        </div>
        <div>
          <dt>{t.facts.created}</dt>
          <dd>
            <Ago at={createdAt} isStop />
          </dd>
        </div>
      </dl>
      <ul className={styles.chips} aria-label={t.events}>
        {events.length === 0 && <li>{t.noEvents}</li>}
        {events.map((event) => (
          <li key={event}>{event}</li>
        ))}
      </ul>
    </>
  );
}
