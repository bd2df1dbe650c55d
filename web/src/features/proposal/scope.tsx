import type { ComponentProps } from "react";
import type { Proposal } from "../../../../contract/endpoints/client-links.ts";
import { showsPrice } from "../../../../contract/values/client-links.ts";
import type { ShownOption, ShownQuestion } from "../../../../contract/values/proposal.ts";
import { formatExactHours, formatExactMoney } from "../../ui/numbers/format.ts";
import { type Chosen, differenceWith, withOption } from "./chosen.ts";
import styles from "./proposal.module.css";
import { proposalTexts } from "./texts.ts";

const t = proposalTexts;

type Shows = Pick<Proposal, "shows" | "currency">;

/** Writes money or hours. */
export const written = (amount: number, { shows, currency }: Shows): string =>
  showsPrice(shows) ? formatExactMoney(amount, currency) : t.hours(formatExactHours(amount));

const signed = (amount: number, shows: Shows): string =>
  `${amount < 0 ? "−" : "+"} ${written(Math.abs(amount), shows)}`;

interface ScopeProps {
  readonly questions: readonly ShownQuestion[];
  readonly shows: Shows;
  readonly chosen: Chosen;
  /** Called with another choice; left out where nothing can be chosen. */
  readonly onChoose: ((chosen: Chosen) => void) | undefined;
  /** Whether it was chosen by accepting: then each answer says whether it is included. */
  readonly isDecided: boolean;
}

/** The questions with their answers, those that arise from an answer below it. */
export const Scope = ({ questions, ...rest }: ScopeProps) => (
  <>
    {questions.map((question) => (
      <Question key={question.id} question={question} {...rest} />
    ))}
  </>
);

function Question({ question, ...rest }: Omit<ScopeProps, "questions"> & { readonly question: ShownQuestion }) {
  const { onChoose, chosen } = rest;
  const { id, kind, required, title, description } = question;
  const isAsked = onChoose !== undefined && kind !== "group";
  const isNone = !question.options.some((option) => chosen.has(option.id));
  const hint = kind === "multi" ? t.choose.multi : required ? t.choose.required : t.choose.single;
  return (
    <fieldset className={styles.question}>
      <legend>{title}</legend>
      {description !== null && <p className="muted">{description}</p>}
      {isAsked && <p className={styles.hint}>{hint}</p>}
      <ul className={styles.options}>
        {question.options.map((option) => (
          <Option key={option.id} option={option} question={question} isAsked={isAsked} {...rest} />
        ))}
        {isAsked && kind === "single" && !required && (
          <li className={isNone ? undefined : styles.left}>
            <label className={styles.option}>
              <input
                type="radio"
                name={id}
                checked={isNone}
                onChange={() => onChoose(withOption(chosen, question, null, false))}
              />
              <span>{t.none}</span>
            </label>
          </li>
        )}
      </ul>
    </fieldset>
  );
}

interface OptionProps extends Omit<ScopeProps, "questions"> {
  readonly option: ShownOption;
  readonly question: ShownQuestion;
  readonly isAsked: boolean;
}

function Option({ option, question, isAsked, ...rest }: OptionProps) {
  const { chosen, onChoose, shows, isDecided } = rest;
  const isChosen = question.kind === "group" || chosen.has(option.id);
  const by = isAsked ? differenceWith(question, option, chosen) : 0;
  const { points } = option;
  const hours = (value: number) => t.hours(formatExactHours(value));
  const texts = (
    <span className={styles.texts}>
      <span>{option.title}</span>
      {option.description !== null && <span className="muted">{option.description}</span>}
      {points && (
        <span className="muted">
          {t.points(hours(points.optimistic), hours(points.likely), hours(points.pessimistic))}
        </span>
      )}
    </span>
  );
  const box: ComponentProps<"input"> = {
    id: option.id,
    name: question.id,
    checked: isChosen,
    onChange: ({ currentTarget: { checked } }) => onChoose?.(withOption(chosen, question, option.id, checked)),
  };
  return (
    // On paper, only what is chosen is shown.
    <li className={isChosen ? undefined : styles.left}>
      {isAsked ? (
        <label htmlFor={option.id} className={styles.option}>
          {question.kind === "single" ? <input type="radio" {...box} /> : <input type="checkbox" {...box} />}
          {texts}
          <span className={styles.amount}>
            {isChosen && question.kind === "single" ? t.included : signed(by, shows)}
          </span>
        </label>
      ) : (
        <div className={styles.option}>
          {texts}
          {isDecided && question.kind !== "group" && (
            <span className={isChosen ? styles.amount : `${styles.amount} muted`}>
              {isChosen ? t.included : t.notIncluded}
            </span>
          )}
        </div>
      )}
      {isChosen && option.questions.length > 0 && (
        <div className={styles.below}>
          <Scope questions={option.questions} {...rest} />
        </div>
      )}
    </li>
  );
}
