import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { lazy, useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Part } from "../../ui/part.tsx";
import { mayEdit } from "../estimations/rights.ts";
import reviews from "../reviews/reviews-page.module.css";
import { roundsOfQuery } from "./queries.ts";
import { RoundTable } from "./round-table.tsx";
import { roundTexts } from "./texts.ts";

const OpenHere = lazy(async () => ({ default: (await import("./open-here.tsx")).OpenHere }));

const t = roundTexts.list;

/** The rounds of an estimation. */
export function RoundsOf({ estimation }: { readonly estimation: Estimation }) {
  const list = useInfiniteQuery(roundsOfQuery(estimation.id));
  const [isOpening, setOpening] = useState(false);
  const rounds = list.data?.pages.flatMap((page) => page.rounds) ?? [];
  const canOpen = mayEdit(estimation);
  return (
    <section aria-label={t.title} className={reviews.part}>
      <h2>{t.title}</h2>
      <LoadFailure query={list} />
      {canOpen && (
        <div>
          <Button variant="default" onClick={() => setOpening(true)}>
            {roundTexts.together}
          </Button>
        </div>
      )}
      {list.isPending && <SkeletonRows rows={1} />}
      {list.isSuccess && rounds.length === 0 && <p className="muted">{canOpen ? t.none : t.noneReader}</p>}
      {rounds.length > 0 && <RoundTable rounds={rounds} isOfOne />}
      {list.hasNextPage && <MoreRows counted={t.counted(rounds.length)} list={list} />}
      {isOpening && (
        <Part>
          <OpenHere estimation={estimation} onClose={() => setOpening(false)} />
        </Part>
      )}
    </section>
  );
}
