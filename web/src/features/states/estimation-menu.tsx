import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Move } from "../../../../contract/values/statuses.ts";
import { movesFrom } from "../../../../domain/states.ts";
import { IconMore } from "../../ui/icons.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { DownloadItems } from "../downloads/download-items.tsx";
import { downloadTexts } from "../downloads/texts.ts";
import { mayEdit } from "../estimations/rights.ts";
import styles from "./estimation-head.module.css";
import { stateTexts } from "./texts.ts";

const t = stateTexts;

interface EstimationMenuProps {
  readonly estimation: Estimation;
  /** Returns the revision that the reader looks at, once it is saved. */
  readonly revision: () => Promise<string>;
  readonly onMove: (move: Move) => void;
  readonly onMakeTemplate: () => void;
}

/** The menu of an estimation, which opens as soon as it is there: it is loaded when somebody asks for it. */
export function EstimationMenu({ estimation, revision, onMove, onMakeTemplate }: EstimationMenuProps) {
  const navigate = useNavigate();
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => place.current?.querySelector("button")?.click(), []);
  // Moves that usually happen by themselves, for those who work with tasks elsewhere; the others have buttons.
  const isOther = (move: Move) => move !== "reopen" && move !== "submit";
  const moves = mayEdit(estimation) ? movesFrom(estimation.status).filter(isOther) : [];
  return (
    <span ref={place} className={styles.menu}>
      <Menu label={t.more} button={<IconMore />}>
        <DownloadItems estimationId={estimation.id} untilSaved={revision} />
        <MenuItem onChoose={() => void navigate({ to: "/estimations/$id/print", params: { id: estimation.id } })}>
          {downloadTexts.print}
        </MenuItem>
        {mayEdit(estimation) && <MenuItem onChoose={onMakeTemplate}>{t.makeTemplate}</MenuItem>}
        {moves.map((move) => (
          <MenuItem key={move} onChoose={() => onMove(move)}>
            {t.moves[move]}
          </MenuItem>
        ))}
      </Menu>
    </span>
  );
}
