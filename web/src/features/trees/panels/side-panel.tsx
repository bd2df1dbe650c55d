import { lazy, memo, type ReactNode, useMemo } from "react";
import type { Estimation } from "../../../../../contract/endpoints/estimations.ts";
import type { RollUp } from "../../../../../domain/tree/hours/roll-up.ts";
import type { Tree } from "../../../../../domain/tree/shape.ts";
import { Choice } from "../../../ui/choice.tsx";
import { hinted } from "../../../ui/hinted.ts";
import { IconClose } from "../../../ui/icons.tsx";
import { formatHours } from "../../../ui/numbers/format.ts";
import { Part } from "../../../ui/part.tsx";
import { TextButton } from "../../../ui/text-button.tsx";
import { uiTexts } from "../../../ui/texts.ts";
import { ToolButton } from "../../../ui/tool-button.tsx";
import type { Margin } from "../../reviews/talk/load-margin.ts";
import type { Row } from "../outline/rows.ts";
import type { Own } from "../sync/content.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { treeTexts } from "../texts.ts";
import { Figures } from "./figures.tsx";
import { unfinished } from "./headline.ts";
import styles from "./side-panel.module.css";

const Details = lazy(async () => ({ default: (await import("./details.tsx")).Details }));
const SuggestionPanel = lazy(async () => ({ default: (await import("./suggestion-panel.tsx")).SuggestionPanel }));

const t = treeTexts.estimation;

export type Panel = keyof typeof t.panels;

interface SidePanelProps {
  readonly hours: RollUp;
  readonly panel: Panel;
  readonly setPanel: (panel: Panel) => void;
  readonly row: Row | undefined;
  /** Several selected lines; else none. */
  readonly picked: readonly Row[];
  readonly tree: Tree;
  readonly own: Own;
  readonly estimation: Estimation;
  /** What was said about lines. */
  readonly margin: Margin;
  readonly sync: TreeSync;
  readonly canEdit: boolean;
  readonly onGoTo: (id: string) => void;
  readonly onExplain: () => void;
  readonly onTogether: () => void;
}

/** The estimate, large, and below it what makes it so, what the focused line holds, or what finished work suggests. */
export const SidePanel = memo(({ hours, panel, setPanel, onExplain, onTogether, ...shown }: SidePanelProps) => {
  const { row, picked, tree, own, estimation, margin, sync, canEdit, onGoTo } = shown;
  const open = useMemo(() => unfinished(tree, hours.p80), [tree, hours]);
  const panels: Readonly<Record<Panel, () => ReactNode>> = {
    figures: () => (
      <Figures
        hours={hours}
        tree={tree}
        onGoTo={onGoTo}
        onExplain={onExplain}
        onTogether={canEdit ? onTogether : undefined}
      />
    ),
    details: () => (
      <Details
        row={row}
        picked={picked}
        tree={tree}
        estimation={estimation}
        margin={margin}
        sync={canEdit ? sync : null}
        onGoTo={onGoTo}
      />
    ),
    suggestion: () => (
      <SuggestionPanel
        estimationId={estimation.id}
        tree={tree}
        own={own}
        sync={sync}
        canEdit={canEdit}
        onGoTo={onGoTo}
      />
    ),
  };
  return (
    <aside className={styles.panel} aria-label={t.estimate}>
      <p className={styles.p80} {...hinted(t.p80Long)}>
        <strong>{formatHours(hours.p80)}</strong> h{open && <span className={styles.open}> · {open.text}</span>}
      </p>
      <p className={`muted ${styles.likely}`}>
        {!open
          ? t.p80
          : open.first !== null && (
              <TextButton onClick={() => open.first && onGoTo(open.first)}>{treeTexts.headline.show}</TextButton>
            )}
      </p>
      <div className={styles.choice}>
        <Choice label={t.panel} options={t.panels} value={panel} onChange={setPanel} />
      </div>
      <div className={`${styles.content} ${panel === "figures" ? "" : styles.sheet}`} id="side-panel" data-over>
        {panel !== "figures" && (
          <ToolButton label={uiTexts.close} className={styles.close} onPress={() => setPanel("figures")}>
            <IconClose />
          </ToolButton>
        )}
        <Part>{panels[panel]()}</Part>
      </div>
    </aside>
  );
});
