import type { ComponentProps } from "react";
import type { Round } from "../../../../contract/values/round.ts";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { RoundTable } from "./round-table.tsx";
import { roundTexts } from "./texts.ts";

interface WaitingProps {
  readonly rounds: readonly Round[];
  readonly list: ComponentProps<typeof MoreRows>["list"];
}

/** The rounds that wait for the reader. */
export const WaitingRounds = ({ rounds, list }: WaitingProps) => (
  <>
    <RoundTable rounds={rounds} />
    {list.hasNextPage && <MoreRows counted={roundTexts.list.counted(rounds.length)} list={list} />}
  </>
);
