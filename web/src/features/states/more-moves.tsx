import type { EstimationStatus, Move } from "../../../../contract/values/statuses.ts";
import { movesFrom } from "../../../../domain/states.ts";
import { IconMore } from "../../ui/icons.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { stateTexts } from "./texts.ts";

const t = stateTexts;

interface MoreMovesProps {
  readonly status: EstimationStatus;
  readonly onMove: (move: Move) => void;
}

/** Moves that usually happen by themselves, for those who work with tasks elsewhere. */
export function MoreMoves({ status, onMove }: MoreMovesProps) {
  const moves = movesFrom(status).filter((move) => move !== "reopen");
  if (moves.length === 0) return null;
  return (
    <Menu label={t.more} button={<IconMore />}>
      {moves.map((move) => (
        <MenuItem key={move} onChoose={() => onMove(move)}>
          {t.moves[move]}
        </MenuItem>
      ))}
    </Menu>
  );
}
