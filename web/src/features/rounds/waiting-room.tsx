import type { ReactNode } from "react";
import type { Round } from "../../../../contract/values/round.ts";
import { Person } from "../../ui/person.tsx";
import styles from "./round-page.module.css";
import { roundTexts } from "./texts.ts";

const t = roundTexts.waiting;

interface WaitingProps {
  readonly round: Round;
  /** How far the reader has come: all is said, or something is not sent, or typed and not saved. */
  readonly at: "done" | "sending" | "typed";
  readonly children: ReactNode;
}

/** What shows until the reveal to who has answered, or was not asked: how many have answered, never who. */
export function WaitingRoom({ round, at, children }: WaitingProps) {
  const { participants, answered, you } = round;
  const all = participants.length;
  const invited = participants.filter(({ user }) => user === null).length;
  return (
    <section className={styles.waiting} aria-label={t.label}>
      <h3>{you === null ? t.notAsked : t[at]}</h3>
      <p role="status">{answered === all ? t.allIn : t.answered(answered, all)}</p>
      <progress max={Math.max(1, all)} value={answered} aria-hidden="true" />
      <p className="muted">{answered === all ? t.soon : you === null ? t.readers : t.next}</p>
      <ul className={styles.people} aria-label={t.people}>
        {participants.flatMap(({ user, email }) => {
          const name = user?.name ?? email;
          return name === null
            ? []
            : [
                <li key={user?.id ?? name}>
                  <Person name={name} />
                </li>,
              ];
        })}
      </ul>
      {invited > 0 && <p className="muted">{t.invited(invited)}</p>}
      {children}
    </section>
  );
}
