import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { ApiError } from "../../../../contract/client/client-of.ts";
import type { Proposal } from "../../../../contract/endpoints/client-links.ts";
import type { Amount } from "../../../../contract/values/proposal.ts";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { Notice } from "../../ui/notice.tsx";
import { formatDay } from "../../ui/numbers/format.ts";
import { uiTexts } from "../../ui/texts.ts";
import { useTitle } from "../../ui/use-title.ts";
import { AnswerForm } from "./answer-form.tsx";
import { type Chosen, chosenIn, differenceOf, placeOf } from "./chosen.ts";
import styles from "./proposal.module.css";
import { Scope, written } from "./scope.tsx";
import { proposalTexts } from "./texts.ts";

const t = proposalTexts;

/** What somebody sees who has the address and no account. */
export function ProposalPage() {
  const { token } = useParams({ from: "/p/$token" });
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: keys.proposal(token),
    queryFn: async () => (await api.getProposal({ params: { token } })).data.proposal,
    // Choices would be lost; a newer publication shows when it is accepted.
    refetchOnWindowFocus: false,
    retry: (count, cause) => !(cause instanceof ApiError) && count < 2,
  });
  useTitle(data?.title);
  return (
    <main className={styles.page}>
      <div className={styles.brand}>
        <img src="/icon.svg" alt="" width={28} height={28} />
        <span>{location.host}</span>
      </div>
      {data ? (
        <Shown key={`${data.edition}`} token={token} proposal={data} onStale={refetch} />
      ) : (
        error && <Failed error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      )}
    </main>
  );
}

interface FailedProps {
  readonly error: Error;
  readonly isFetching: boolean;
  readonly onRetry: () => void;
}

function Failed({ error, isFetching, onRetry }: FailedProps) {
  const key = error instanceof ApiError ? error.body.message : "";
  if (key === "not_found" || key === "link_expired") {
    return (
      <>
        <h1>{key === "not_found" ? t.goneTitle : t.expiredTitle}</h1>
        <p className="muted">{key === "not_found" ? t.gone : t.expired}</p>
      </>
    );
  }
  return (
    <>
      <h1>{uiTexts.failed}</h1>
      <p className="muted">{failureText(error)}</p>
      <Button mt="md" loading={isFetching} onClick={onRetry}>
        {uiTexts.retry}
      </Button>
    </>
  );
}

interface ShownProps {
  readonly token: string;
  readonly proposal: Proposal;
  readonly onStale: () => Promise<unknown>;
}

function Shown({ token, proposal, onStale }: ShownProps) {
  const { questions, choices, publishedAt, expiresAt, description, assumptions, acceptance } = proposal;
  const [tentative, setChosen] = useState<Chosen>(() => chosenIn(questions));
  const selection = differenceOf(questions, tentative);
  // What was accepted shows, whatever this reader has tried.
  const differs = acceptance === null && selection.select.length + selection.deselect.length > 0;
  const chosen = useMemo(() => (acceptance ? new Set(acceptance.optionIds) : tentative), [acceptance, tentative]);
  const tried = useQuery({
    queryKey: keys.proposal(token, proposal.edition, selection),
    queryFn: async () => (await api.tryProposal({ params: { token }, body: selection })).data.whatIf.total,
    enabled: differs,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const published = acceptance?.total ?? proposal.total;
  const total = differs ? (tried.data ?? published) : published;
  // What is accepted is what shows.
  const isTotalOfChosen = !differs || (tried.isSuccess && !tried.isPlaceholderData);
  const canChoose = choices && acceptance === null;
  return (
    <>
      <h1>{proposal.title}</h1>
      <p className="muted">
        {t.asOf(formatDay(publishedAt))}
        {expiresAt !== null && `, ${t.until(formatDay(expiresAt))}`}
      </p>
      {description !== null && <p className={styles.description}>{description}</p>}
      <Total amount={total} proposal={proposal} />
      {tried.isError && <Notice kind="bad">{failureText(tried.error)}</Notice>}
      <section aria-label={t.scope} className={styles.scope}>
        <h2>{t.scope}</h2>
        {choices && (
          <p className={styles.fixed}>
            <span>{t.fixed}</span>
            <span className={styles.amount}>{written(proposal.fixed.figure, proposal)}</span>
          </p>
        )}
        <Scope
          questions={questions}
          shows={proposal}
          chosen={chosen}
          onChoose={canChoose ? setChosen : undefined}
          isDecided={choices && acceptance !== null}
        />
      </section>
      {assumptions !== null && (
        <section aria-label={t.assumptions} className={styles.scope}>
          <h2>{t.assumptions}</h2>
          <p className={styles.description}>{assumptions}</p>
        </section>
      )}
      <AnswerForm
        token={token}
        proposal={proposal}
        selection={acceptance ? undefined : selection}
        total={written(total.figure, proposal)}
        mayAccept={isTotalOfChosen}
        onStale={onStale}
      />
    </>
  );
}

function Total({ amount, proposal }: { readonly amount: Amount; readonly proposal: Proposal }) {
  const { figure, low, high } = amount;
  const isRange = low !== null && high !== null;
  return (
    <section aria-label={t.total} className={styles.total}>
      <output className={styles.figure}>{written(figure, proposal)}</output>
      <span className="muted">{t.meaning[proposal.percentile]}</span>
      {isRange && (
        <>
          <div className={styles.range} aria-hidden="true">
            <span className={styles.mark} style={{ left: `${placeOf(amount) * 100}%` }} />
          </div>
          <span className={styles.ends}>{t.range(written(low, proposal), written(high, proposal))}</span>
          <span className="muted">{t.rangeMeaning}</span>
        </>
      )}
    </section>
  );
}
