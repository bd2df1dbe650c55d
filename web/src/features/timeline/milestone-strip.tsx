import { lazy, useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Milestone } from "../../../../contract/endpoints/milestones.ts";
import type { Timeline } from "../../../../contract/endpoints/timelines.ts";
import { IconMore, IconPlus } from "../../ui/icons.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { formatDay } from "../../ui/numbers/format.ts";
import { Part } from "../../ui/part.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import { mayEdit } from "../estimations/rights.ts";
import styles from "./milestones.module.css";
import type { Row } from "./rows.ts";
import { timelineTexts as t } from "./texts.ts";
import type { Changes } from "./use-changes.ts";

const MilestoneDialog = lazy(async () => ({ default: (await import("./milestone-dialog.tsx")).MilestoneDialog }));
const RemoveMilestone = lazy(async () => ({ default: (await import("./milestone-dialog.tsx")).RemoveMilestone }));
const ProposalDialog = lazy(async () => ({ default: (await import("./proposal-dialog.tsx")).ProposalDialog }));

interface StripProps {
  readonly estimation: Estimation;
  readonly timeline: Timeline;
  readonly milestones: readonly Milestone[] | null;
  readonly rows: readonly Row[];
  readonly changes: Changes;
}

/** The milestones in order of their due dates, each with how likely it is, and what can be done about it. */
export function MilestoneStrip({ estimation, timeline, milestones, rows, changes }: StripProps) {
  const canEdit = mayEdit(estimation);
  const [asked, setAsked] = useState<{
    readonly what: "edit" | "remove" | "propose";
    readonly id: string | null;
  } | null>(null);
  const about = milestones?.find(({ id }) => id === asked?.id) ?? null;
  const close = () => setAsked(null);
  if (!canEdit && milestones?.length === 0) return null;
  const sorted = milestones?.toSorted((a, b) => (a.dueDate < b.dueDate ? -1 : 1)) ?? [];
  return (
    <section aria-label={t.milestones} className={styles.strip}>
      <ul>
        {sorted.map((milestone) => (
          <li key={milestone.id}>
            <span className={styles.title}>{milestone.title}</span>
            <Likely milestone={milestone} />
            <TextButton onClick={() => setAsked({ what: "propose", id: milestone.id })}>{t.proposal.open}</TextButton>
            {canEdit && (
              <span className={styles.more}>
                <Menu label={t.milestone.menu(milestone.title)} button={<IconMore />}>
                  <MenuItem onChoose={() => setAsked({ what: "edit", id: milestone.id })}>{t.milestone.edit}…</MenuItem>
                  <MenuItem onChoose={() => setAsked({ what: "remove", id: milestone.id })}>
                    {t.milestone.remove}…
                  </MenuItem>
                </Menu>
              </span>
            )}
          </li>
        ))}
        {canEdit && (
          <li className={styles.add}>
            <button type="button" onClick={() => setAsked({ what: "edit", id: null })}>
              <IconPlus /> {t.addMilestone}
            </button>
          </li>
        )}
      </ul>
      {asked?.what === "edit" && (
        <Part>
          <MilestoneDialog
            estimationId={estimation.id}
            milestone={about}
            rows={rows}
            changes={changes}
            onClose={close}
          />
        </Part>
      )}
      {asked?.what === "remove" && about && (
        <Part>
          <RemoveMilestone estimationId={estimation.id} milestone={about} onClose={close} />
        </Part>
      )}
      {asked?.what === "propose" && about && (
        <Part>
          <ProposalDialog
            estimation={estimation}
            timeline={timeline}
            milestone={about}
            changes={canEdit ? changes : null}
            onClose={close}
          />
        </Part>
      )}
    </section>
  );
}

function Likely({ milestone: { dueDate, forecast } }: { readonly milestone: Milestone }) {
  if (!forecast) return <span className={styles.unknown}>{t.notForecast(formatDay(dueDate))}</span>;
  const { probability } = forecast;
  const kind = probability >= 0.8 ? styles.good : probability >= 0.5 ? styles.warn : styles.bad;
  return <span className={kind}>{t.likely(probability, formatDay(dueDate))}</span>;
}
