import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Option, pointsOf, type ThreePoint } from "../../../../domain/tree/shape.ts";
import { adoptedQuery } from "./queries.ts";
import { roundTexts } from "./texts.ts";

const t = roundTexts.origin;

interface AdoptedProps {
  readonly estimationId: string;
  readonly option: Option;
}

/** Which round an option has its hours from; nothing once they are others. */
export function Adopted({ estimationId: id, option }: AdoptedProps) {
  const adopted = useQuery(adoptedQuery(id)).data?.find(({ optionId }) => optionId === option.id);
  // The editor may be ahead of the service.
  if (!adopted || !isSame(adopted.hours, pointsOf(option))) return null;
  const { round, people, agreement } = adopted;
  return (
    <p className="muted">
      {t.from}{" "}
      <Link to="/estimations/$id/rounds/$roundId" params={{ id, roundId: round.id }}>
        {t.round(round.number)}
      </Link>
      {t.facts(people, agreement)}
    </p>
  );
}

const isSame = (one: ThreePoint, other: ThreePoint | null): boolean =>
  other !== null &&
  one.optimistic === other.optimistic &&
  one.likely === other.likely &&
  one.pessimistic === other.pessimistic;
