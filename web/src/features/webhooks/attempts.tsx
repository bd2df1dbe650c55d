import type { Attempt } from "../../../../contract/endpoints/webhooks.ts";
import { attemptErrors } from "../../../../contract/values/attempt-errors.ts";
import { Ago } from "../../ui/numbers/ago.tsx";
import { formatDuration } from "../../ui/numbers/format.ts";
import { Code, HeaderLines } from "./code.tsx";
import { deliveryTexts } from "./texts.ts";
import styles from "./webhook-page.module.css";

const t = deliveryTexts;

/** The response to each attempt, in order. */
export const Attempts = ({ attempts }: { readonly attempts: readonly Attempt[] }) => (
  <ol className={styles.attempts}>
    {attempts.map((attempt) => (
      <li key={attempt.number} className={`${styles.attempt} ${attempt.error === null ? "" : styles.failed}`}>
        <p className={styles.what}>
          <strong>{t.attempt(attempt.number)}</strong>
          <span>{attempt.responseStatus === null ? t.noResponse : t.received(attempt.responseStatus)}</span>
          <span className="muted">{formatDuration(attempt.durationMs)}</span>
          <span className="muted">
            <Ago at={attempt.startedAt} isStop />
          </span>
        </p>
        {attempt.error && <p className={styles.error}>{attemptErrors[attempt.error]}.</p>}
        {attempt.responseStatus !== null && (
          <details>
            <summary>{t.response}</summary>
            <HeaderLines label={t.responseHeaders} headers={attempt.responseHeaders ?? {}} />
            <Code label={t.responseBody} text={attempt.responseBody ?? ""} />
          </details>
        )}
      </li>
    ))}
  </ol>
);
