import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Round, RoundOption } from "../../../../contract/values/round.ts";
import { keys } from "../../api/keys.ts";
import { Notice, NoticeButton } from "../../ui/notice.tsx";
import { estimationQuery } from "../estimations/queries.ts";
import { mayEdit } from "../estimations/rights.ts";
import type { Adoption, Choice } from "./adopt-in-tree.ts";
import { adoptedQuery } from "./queries.ts";
import { refusalText } from "./refusal-text.ts";
import styles from "./reveal-view.module.css";
import { RevealedOption } from "./revealed-option.tsx";
import { roundTexts } from "./texts.ts";

const t = roundTexts.reveal;

interface RevealProps {
  readonly round: Round;
  readonly options: readonly RoundOption[];
  readonly estimation: Estimation;
  readonly userId: string;
}

/** What everybody said, the options that people disagree about most first. */
export function RevealView({ round, options, estimation, userId }: RevealProps) {
  const { id } = estimation;
  const queries = useQueryClient();
  const known = useQuery(adoptedQuery(id));
  const adopted = useMemo(
    () => new Map(known.data?.filter((one) => one.round.id === round.id).map((one) => [one.optionId, one])),
    [known.data, round.id],
  );
  const sorted = useMemo(() => options.toSorted((one, other) => agreementOf(one) - agreementOf(other)), [options]);
  const hasNotes = options.some(({ result }) => result?.estimates.some(({ note }) => note !== null));
  const reload = () =>
    Promise.all(
      [keys.rounds(id, "adopted"), estimationQuery(id).queryKey, keys.estimations].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
  const adopt = useMutation({
    mutationFn: async (choices: readonly Choice[]): Promise<Adoption> => {
      // The editor's code, which undoes it.
      const { adoptInTree } = await import("./adopt-in-tree.ts");
      return await adoptInTree(queries, id, round.id, choices);
    },
    onSettled: reload,
  });
  const undo = useMutation({
    mutationFn: (adoption: Adoption) => adoption.undo(),
    onSettled: reload,
  });
  const canEdit = mayEdit(estimation) && round.status === "revealed";
  const canAdopt = canEdit && estimation.status === "draft";
  const left = sorted.filter(({ optionId, result }) => result?.pool && !adopted.has(optionId));
  const isBusy = adopt.isPending || undo.isPending;
  const take = (choices: readonly Choice[]) => {
    if (isBusy) return;
    undo.reset();
    adopt.mutate(choices);
  };
  const takeBack = () => adopt.data && !isBusy && undo.mutate(adopt.data, { onSuccess: () => adopt.reset() });
  const error = adopt.error ?? undo.error;
  return (
    <>
      <div className={styles.bar}>
        <p className="muted">
          {t.order} {t.bars}
        </p>
        {canAdopt && left.length > 0 && (
          <Button
            variant="default"
            loading={adopt.isPending}
            onClick={() => take(left.map(({ optionId }) => ({ optionId, from: "pool" })))}
          >
            {t.adoptAll(left.length)}
          </Button>
        )}
      </div>
      {canEdit && !canAdopt && <Notice kind="info">{t.locked}</Notice>}
      {error && <Notice kind="bad">{refusalText(error)}</Notice>}
      {adopt.data && (
        <Notice kind="good" action={<NoticeButton onClick={takeBack}>{t.undo}</NoticeButton>}>
          {t.adoptedFor(adopt.data.adopted.length)}
        </Notice>
      )}
      {undo.isSuccess && <Notice kind="info">{t.undone}</Notice>}
      <div className={styles.options}>
        {sorted.map((option) => (
          <RevealedOption
            key={option.optionId}
            option={option}
            userId={userId}
            hasNotes={hasNotes}
            adopted={adopted.get(option.optionId)}
            onAdopt={canAdopt ? (from) => take([{ optionId: option.optionId, from }]) : null}
          />
        ))}
      </div>
    </>
  );
}

/** Those of which too few people said something come last. */
const agreementOf = ({ result }: RoundOption): number => result?.agreement ?? 2;
