import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Round, RoundOption } from "../../../../contract/values/round.ts";
import { api } from "../../api/client.ts";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { IconMore } from "../../ui/icons.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Ago, Due } from "../../ui/numbers/ago.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { mayEdit } from "../estimations/rights.ts";
import { useCommands } from "../palette/commands.ts";
import { reloadRounds, roundQuery } from "./queries.ts";
import { refusalText } from "./refusal-text.ts";
import styles from "./round-page.module.css";
import { roundTexts } from "./texts.ts";

const t = roundTexts.head;

/** What is asked about before it is done. */
type Step = "reveal" | "close" | "again";

interface HeadProps {
  readonly round: Round;
  readonly estimation: Estimation;
  readonly userId: string;
  /** Undefined while they load. */
  readonly options: readonly RoundOption[] | undefined;
}

/** Which round it is, who opened it, how many have answered, and how it goes on. */
export function RoundHead({ round, estimation, userId, options = [] }: HeadProps) {
  const { id: roundId, estimationId: id, number, title, status, openedBy, participants, answered } = round;
  const [asked, setAsked] = useState<Step | null>(null);
  const all = participants.length;
  const apart = options.filter(({ result }) => result?.disagrees).length;
  const isOpen = status === "open";
  const step = useNextStep(id, roundId, () => setAsked(null));
  const ask = (next: Step) => {
    step.reset();
    setAsked(next);
  };
  const canEdit = mayEdit(estimation);
  const steps: readonly (readonly [step: Step, label: string])[] = [
    ...(canEdit && isOpen ? [["reveal", t.reveal] as const] : []),
    ...(canEdit && status === "revealed" && apart > 0 ? [["again", t.again(apart)] as const] : []),
    ...(canEdit && status !== "closed" ? [["close", t.close] as const] : []),
  ];
  useCommands(async () => {
    const { paletteTexts } = await import("../palette/texts.ts");
    const items = steps.map(([name, label]) => ({
      ...{ id: `command round ${name}`, label, detail: paletteTexts.command, run: () => ask(name) },
    }));
    return { items, keys: isOpen && round.you ? roundTexts.answer.keySheet : [] };
  });
  return (
    <header className={styles.head}>
      <div className={styles.line1}>
        <h2>{roundTexts.name(number, title)}</h2>
        <strong className={styles[status]}>{roundTexts.statuses[status]}</strong>
        {round.anonymous && <span className="muted">{t.anonymous}</span>}
        {canEdit && (
          <span className={styles.steps}>
            {isOpen && (
              <Button variant={round.you ? "default" : "filled"} onClick={() => ask("reveal")}>
                {t.reveal}
              </Button>
            )}
            {status === "revealed" && apart > 0 && <Button onClick={() => ask("again")}>{t.again(apart)}</Button>}
            {status !== "closed" && (
              <Menu label={t.menu} button={<IconMore />}>
                <MenuItem onChoose={() => ask("close")}>{t.close}</MenuItem>
              </Menu>
            )}
          </span>
        )}
      </div>
      <p className="muted">
        {openedBy.id === userId ? t.byYou : t.by(openedBy.name)}, <Ago at={round.openedAt} isStop />
        {" · "}
        <span>{isOpen ? t.answered(answered, all) : roundTexts.people(all)}</span>
        {isOpen && round.deadline && (
          <>
            {" · "}
            {t.until} <Due at={round.deadline} />
          </>
        )}
      </p>
      {asked && (
        <Dialog title={t.steps[asked].title} onClose={() => setAsked(null)} isLocked={step.isPending}>
          <DialogForm onSubmit={() => step.mutate(asked)}>
            <p className="muted">
              {asked === "reveal"
                ? t.steps.reveal.text(all - answered)
                : asked === "again"
                  ? t.steps.again.text(apart, all)
                  : t.steps.close.text(isOpen)}
            </p>
            {step.isError && <Notice kind="bad">{refusalText(step.error)}</Notice>}
            <DialogEnd>
              <Button variant="default" onClick={() => setAsked(null)} disabled={step.isPending}>
                {uiTexts.cancel}
              </Button>
              <Button
                type="submit"
                loading={step.isPending}
                {...(asked === "close" && isOpen ? { color: "red.9" } : {})}
              >
                {t.steps[asked].action}
              </Button>
            </DialogEnd>
          </DialogForm>
        </Dialog>
      )}
    </header>
  );
}

/** Takes a round a step on, and shows what came of it. */
function useNextStep(id: string, roundId: string, onDone: () => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (step: Step) => {
      const params = { id, roundId };
      if (step === "again") return (await api.repeatRound({ params, body: {} })).data.round;
      return (await (step === "reveal" ? api.revealRound({ params }) : api.closeRound({ params }))).data.round;
    },
    onSuccess: async (round) => {
      queries.setQueryData(roundQuery(id, round.id).queryKey, round);
      onDone();
      if (round.id !== roundId)
        await navigate({ to: "/estimations/$id/rounds/$roundId", params: { id, roundId: round.id } });
      void reloadRounds(queries, id);
    },
    onError: () => reloadRounds(queries, id),
  });
}
