import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { attemptErrors } from "../../../../contract/values/attempt-errors.ts";
import { keys } from "../../api/keys.ts";
import { Notice } from "../../ui/notice.tsx";
import { formatDuration } from "../../ui/numbers/format.ts";
import { deliveryQuery, isUnderWay, webhookQuery } from "./queries.ts";
import { webhookTexts } from "./texts.ts";
import styles from "./webhook-actions.module.css";

const t = webhookTexts;

interface TestResultProps {
  readonly webhookId: string;
  readonly deliveryId: string;
}

/** Follows a test until its first attempt has ended, and says what the response was. */
export function TestResult({ webhookId, deliveryId }: TestResultProps) {
  const queries = useQueryClient();
  const { data } = useQuery(deliveryQuery(webhookId, deliveryId));
  const attempt = data?.attempts.at(-1);
  const isEnded = attempt !== undefined || (data !== undefined && !isUnderWay(data));
  useEffect(() => {
    if (!isEnded) return;
    void queries.invalidateQueries({ queryKey: keys.deliveries(webhookId) });
    void queries.invalidateQueries(webhookQuery(webhookId));
  }, [isEnded, queries, webhookId]);
  if (!isEnded) return <Notice kind="info">{t.testing}</Notice>;
  const isGood = attempt?.error === null;
  return (
    <Notice
      kind={isGood ? "good" : "bad"}
      action={
        <Link
          className={styles.look}
          to="/profile/webhooks/$id/deliveries/$deliveryId"
          params={{ id: webhookId, deliveryId }}
        >
          {t.look}
        </Link>
      }
    >
      {attempt && attempt.responseStatus !== null
        ? t.testResponse(attempt.responseStatus, formatDuration(attempt.durationMs))
        : t.testFailed}
      {attempt?.error && ` ${attemptErrors[attempt.error]}.`}
      {attempt?.responseBody && <code>{attempt.responseBody.slice(0, SHOWN_CHARACTERS)}</code>}
    </Notice>
  );
}

const SHOWN_CHARACTERS = 300;
