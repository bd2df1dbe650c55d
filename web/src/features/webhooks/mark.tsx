import type { DeliveryStatus } from "../../../../contract/endpoints/webhooks.ts";
import styles from "./mark.module.css";
import { deliveryTexts, webhookTexts } from "./texts.ts";
import type { WebhookState } from "./webhook-state.ts";

const TONES = {
  active: styles.good,
  failing: styles.warn,
  paused: styles.idle,
  stopped: styles.bad,
  pending: styles.idle,
  retry_scheduled: styles.warn,
  delivered: styles.good,
  failed: styles.bad,
} satisfies Record<WebhookState | DeliveryStatus, string | undefined>;

export const StateMark = ({ state }: { readonly state: WebhookState }) => (
  <span className={`${styles.mark} ${TONES[state]}`}>{webhookTexts.states[state]}</span>
);

export const DeliveryMark = ({ status }: { readonly status: DeliveryStatus }) => (
  <span className={`${styles.mark} ${TONES[status]}`}>{deliveryTexts.statuses[status]}</span>
);
