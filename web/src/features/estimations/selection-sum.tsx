import { TextInput } from "@mantine/core";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { type ChangeEvent, useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Portfolio } from "../../../../contract/endpoints/portfolio.ts";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { Notice } from "../../ui/notice.tsx";
import { formatHours, formatMoney, formatPercent, localMinute, numberStyle } from "../../ui/numbers/format.ts";
import { readNumber } from "../../ui/numbers/read-number.ts";
import { listTexts as t } from "./list-texts.ts";
import styles from "./selection-sum.module.css";

/** Who works, and from when until when; null where something of it is missing or cannot be read. */
interface Capacity {
  readonly people: number;
  readonly hoursPerWeek: number;
  readonly from: string;
  readonly until: string;
}

const portfolioQuery = (chosen: readonly Estimation[], capacity: Capacity | null) =>
  queryOptions({
    // Of the revisions that the list shows: a newer one is another sum.
    queryKey: keys.portfolio(
      chosen.map(({ id, revision }) => `${id} ${revision}`),
      capacity,
    ),
    queryFn: async () => {
      const ids = chosen.map(({ id }) => id);
      return (await api.getPortfolio({ query: { ids, ...capacity } })).data.portfolio;
    },
    placeholderData: keepPreviousData,
  });

/** Most of the drivers change little. */
const DRIVERS = 3;

/** The hours of several estimations together, why they are not the sum of each, and whether people can do all by a day. */
export function SelectionSum({ chosen }: { readonly chosen: readonly Estimation[] }) {
  const [capacity, setCapacity] = useState<Capacity | null>(null);
  const isTooMany = chosen.length > limits.portfolioIds;
  const { data, error, isPlaceholderData } = useQuery({ ...portfolioQuery(chosen, capacity), enabled: !isTooMany });
  const portfolio = isTooMany || error ? undefined : data;
  return (
    <div className={styles.sum} aria-busy={isPlaceholderData}>
      {isTooMany ? (
        <p className="muted">{t.sum.tooMany(limits.portfolioIds)}</p>
      ) : error ? (
        <Notice kind="bad">{failureText(error)}</Notice>
      ) : portfolio ? (
        <Figures portfolio={portfolio} />
      ) : (
        <p className="muted">{t.sum.adding}</p>
      )}
      {/* What is typed here stays, whatever becomes of the request. */}
      <details className={styles.more}>
        <summary>{t.sum.more}</summary>
        {portfolio && <Reasons portfolio={portfolio} />}
        <CapacityFields onChange={setCapacity} />
        {capacity && portfolio?.capacity && !isPlaceholderData && (
          <p role="status">
            <strong>
              {t.sum.likely(likelihood(portfolio.capacity.probability), formatHours(portfolio.capacity.hours))}
            </strong>{" "}
            <span className="muted">{t.sum.assumed}</span>
          </p>
        )}
      </details>
    </div>
  );
}

interface PartProps {
  readonly portfolio: Portfolio;
}

const Figures = ({ portfolio: { hours, costs, count } }: PartProps) => (
  <dl className={styles.figures}>
    {(["expected", "p50", "p80", "p95"] as const).map((name) => (
      <div key={name} data-main={name === "p80"}>
        <dt>{t.sum.figures[name]}</dt>
        <dd>{formatHours(hours[name])} h</dd>
      </div>
    ))}
    {costs.map((cost) => (
      <div key={cost.currency}>
        <dt>{t.sum.cost(cost.count, count)}</dt>
        <dd>{formatMoney(cost.p80, cost.currency)}</dd>
      </div>
    ))}
  </dl>
);

/** Why it is less than the sum of each, where it is, and what makes it uncertain. */
function Reasons({ portfolio: { hours, sumOfP80, drivers } }: PartProps) {
  const [sum, p80] = [formatHours(sumOfP80), formatHours(hours.p80)];
  const uncertain = drivers.filter(({ share }) => share >= 0.01).slice(0, DRIVERS);
  return (
    <>
      {sum !== p80 && <p>{t.sum.why(sum, p80)}</p>}
      {uncertain.length > 0 && (
        <p>
          {t.sum.drivers} {uncertain.map(({ title, share }) => `${title} ${formatPercent(share)}`).join(" · ")}
        </p>
      )}
    </>
  );
}

/** A probability as text: nothing is certain. */
function likelihood(probability: number): string {
  if (probability > 0.99) return t.sum.above(formatPercent(0.99));
  return probability < 0.01 ? t.sum.below(formatPercent(0.01)) : formatPercent(probability);
}

const within = (value: number | null, least: number, most: number): number | null =>
  value !== null && value >= least && value <= most ? value : null;

/** The days that a date may name, as in the service. */
const [FIRST_DAY, LAST_DAY] = ["1970-01-01", "2199-12-31"];
/** A date that is typed has a year of one digit at first. */
const isDay = (day: string) => day.length === LAST_DAY.length && day >= FIRST_DAY && day <= LAST_DAY;

/** Asks for people, their hours a week, and the first and the last day. */
function CapacityFields({ onChange }: { readonly onChange: (capacity: Capacity | null) => void }) {
  const [typed, setTyped] = useState({
    people: "",
    hoursPerWeek: "",
    from: localMinute(Date.now()).slice(0, 10),
    until: "",
  });
  const numberOf = (text: string) => {
    const read = readNumber({ text }, numberStyle);
    return read.ok ? read.value : null;
  };
  const change = (changes: Partial<typeof typed>) => {
    const now = { ...typed, ...changes };
    setTyped(now);
    const people = within(numberOf(now.people), 0.1, limits.portfolioPeople);
    const hoursPerWeek = within(numberOf(now.hoursPerWeek), 1, 168);
    const isSpan = isDay(now.from) && isDay(now.until) && now.from <= now.until;
    const { from, until } = now;
    onChange(people === null || hoursPerWeek === null || !isSpan ? null : { people, hoursPerWeek, from, until });
  };
  const isBad = (text: string, least: number, most: number) =>
    text.trim() !== "" && within(numberOf(text), least, most) === null;
  const isBadPeople = isBad(typed.people, 0.1, limits.portfolioPeople);
  const isBadWeek = isBad(typed.hoursPerWeek, 1, 168);
  const isBadSpan = isDay(typed.until) && isDay(typed.from) && typed.until < typed.from;
  const field = (name: keyof typeof typed, fault: string | false = false) => ({
    label: t.sum[name],
    error: fault,
    autoComplete: "off",
    value: typed[name],
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => change({ [name]: currentTarget.value }),
  });
  const number = { className: styles.number, inputMode: "decimal" } as const;
  const day = { type: "date", min: FIRST_DAY, max: LAST_DAY };
  return (
    <fieldset className={styles.capacity}>
      <legend>{t.sum.capacity}</legend>
      <TextInput {...number} {...field("people", isBadPeople && t.sum.badPeople(limits.portfolioPeople))} />
      <TextInput {...number} {...field("hoursPerWeek", isBadWeek && t.sum.badWeek)} />
      <TextInput {...day} {...field("from")} />
      <TextInput {...day} {...field("until", isBadSpan && t.sum.badUntil)} />
    </fieldset>
  );
}
