import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, useMemo, useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Milestone } from "../../../../contract/endpoints/milestones.ts";
import type { Dependency, Timeline } from "../../../../contract/endpoints/timelines.ts";
import { findCycle } from "../../../../domain/timeline/find-cycle.ts";
import { failureText, responseOf } from "../../api/failure.ts";
import { Choice } from "../../ui/choice.tsx";
import { described, hinted } from "../../ui/hinted.ts";
import { IconRedo, IconUndo } from "../../ui/icons.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatMoment } from "../../ui/numbers/format.ts";
import { Part } from "../../ui/part.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { Toolbar } from "../../ui/toolbar.tsx";
import { mayEdit } from "../estimations/rights.ts";
import { useCommands } from "../palette/commands.ts";
import { usePageKeys } from "../trees/commands/use-page-keys.ts";
import { Chart } from "./chart.tsx";
import { layoutOf } from "./layout.ts";
import { MilestoneStrip } from "./milestone-strip.tsx";
import { baselineQuery, holidayNamesQuery, submittedQuery } from "./queries.ts";
import { linksOf, movableOf, rowsOf, type ShownTask } from "./rows.ts";
import type { Zoom } from "./scale.ts";
import { TaskPanel } from "./task-panel.tsx";
import { timelineTexts as t } from "./texts.ts";
import styles from "./timeline.module.css";
import { type Changes, listChange, useUndoKeys } from "./use-changes.ts";
import { useNarrow } from "./use-narrow.ts";

const SettingsDialog = lazy(async () => ({ default: (await import("./settings-dialog.tsx")).SettingsDialog }));

interface ScheduleProps {
  readonly estimation: Estimation;
  readonly timeline: Timeline;
  readonly tasks: readonly ShownTask[];
  /** Null: not loaded yet. */
  readonly milestones: readonly Milestone[] | null;
  readonly changes: Changes;
}

/** The schedule with what changes it. */
export function Schedule({ estimation, timeline, tasks, milestones, changes }: ScheduleProps) {
  const { id } = estimation;
  const canEdit = mayEdit(estimation);
  const isNarrow = useNarrow();
  const [zoom, setZoom] = useState<Zoom>("weeks");
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const [linkingId, setLinkingId] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const [hasBaseline, setHasBaseline] = useState(false);
  const [isSetting, setSetting] = useState(false);
  const submitted = useQuery(submittedQuery(id)).data ?? null;
  const baseline = useQuery({ ...baselineQuery(id, submitted?.id ?? ""), enabled: hasBaseline && submitted !== null });
  const rows = useMemo(() => rowsOf(tasks, timeline.items), [tasks, timeline.items]);
  const links = useMemo(() => linksOf(rows, timeline.dependencies), [rows, timeline.dependencies]);
  const holidayNames = useQuery(holidayNamesQuery(timeline)).data ?? null;
  const movable = useMemo(
    () => (canEdit ? movableOf(rows, timeline.dependencies) : new Set<string>()),
    [canEdit, rows, timeline.dependencies],
  );
  const items = hasBaseline ? (baseline.data ?? null) : null;
  const layout = useMemo(
    () => layoutOf({ timeline, rows, milestones: milestones ?? [], baseline: items, zoom, now: Date.now() }),
    [timeline, rows, milestones, items, zoom],
  );
  const selected = rows.find((row) => row.id === selectedId) ?? null;
  const linking = rows.find((row) => row.id === linkingId) ?? null;

  const link = (from: string, to: string): void => {
    setLinkingId(null);
    const dependency: Dependency = { from, to, type: "finish_to_start", lagHours: 0 };
    const ends = rows.filter((row) => row.id === from || row.id === to);
    const isKnown = timeline.dependencies.some(
      (each) => each.from === from && each.to === to && each.type === dependency.type,
    );
    const fault =
      from === to || findCycle([...timeline.dependencies, dependency])
        ? t.task.cycle
        : isKnown
          ? t.task.twice
          : ends.some(({ start, isGroup }) => start === null || isGroup)
            ? t.task.notScheduled
            : null;
    setRefused(fault);
    if (fault) return;
    setSelectedId(to);
    changes.run(
      listChange("dependencies", { add: [dependency], remove: [] }),
      listChange("dependencies", { add: [], remove: [dependency] }),
    );
  };
  const startLinking = canEdit && selected?.start && !selected.isGroup ? () => setLinkingId(selected.id) : null;
  useUndoKeys(changes);
  usePageKeys({ ...(startLinking && { l: startLinking, L: startLinking }) });

  const exportAs = async (kind: keyof typeof t.images) => {
    const { saveImage } = await import("./save-image.ts");
    await saveImage({ layout, rows, links, title: estimation.title }, kind);
  };
  useCommands(async () =>
    (await import("./timeline-commands.ts")).timelineCommands({
      ...{ zoom, onZoom: setZoom, onExport: (kind) => void exportAs(kind), onLink: startLinking },
      changes: canEdit ? changes : null,
      onSettings: () => setSetting(true),
    }),
  );
  const moveStart = (startDate: string) =>
    changes.run({ settings: () => ({ startDate }) }, { settings: () => ({ startDate: timeline.startDate }) });
  // The rule counts working hours in the zone of the timeline, which is large: only for those who move a bar.
  const moveBar = async (taskId: string, days: number, onSettled: () => void) => {
    setRefused(null);
    const rule = await responseOf(import("./moved-links.ts")).catch((error: unknown) => {
      setRefused(failureText(error));
      return null;
    });
    if (!rule) return onSettled();
    const moved = rule.movedLinks(timeline, taskId, days);
    if (!moved) {
      setRefused(days > 0 ? t.notLater : t.notEarlier);
      return onSettled();
    }
    const { before, after } = moved;
    changes.run(
      listChange("dependencies", { add: after, remove: before }),
      listChange("dependencies", { add: before, remove: after }),
      onSettled,
    );
  };
  const moveMilestone = ({ id: milestoneId, dueDate: before }: Milestone, dueDate: string) =>
    changes.run({ milestoneId, fields: { dueDate } }, { milestoneId, fields: { dueDate: before } });

  return (
    <>
      <div className={styles.bar}>
        {!isNarrow && <Choice label={t.zoom} options={t.zooms} value={zoom} onChange={setZoom} />}
        {canEdit && (
          <Toolbar label={t.tools} className={styles.tools}>
            <ToolButton label={t.undo} keys="Ctrl+Z" disabled={!changes.undo} onPress={() => changes.undo?.()}>
              <IconUndo />
            </ToolButton>
            <ToolButton label={t.redo} keys="Ctrl+Y" disabled={!changes.redo} onPress={() => changes.redo?.()}>
              <IconRedo />
            </ToolButton>
          </Toolbar>
        )}
        <span role="status" className={styles.saving}>
          {changes.isSaving && t.saving}
        </span>
        <span className={styles.end}>
          {!isNarrow && (
            <span className={styles.legend} {...hinted(t.criticalHint)}>
              <i className={styles.criticalSample} /> {t.critical}
            </span>
          )}
          {!isNarrow && submitted && (
            <label className={styles.legend} data-hint={t.baselineHint(submitted.number)}>
              <input
                type="checkbox"
                {...described(t.baselineHint(submitted.number))}
                checked={hasBaseline}
                onChange={({ currentTarget }) => setHasBaseline(currentTarget.checked)}
              />
              <i className={styles.baselineSample} /> {t.baseline}
            </label>
          )}
          <Menu isBoxed button={t.image}>
            <MenuItem onChoose={() => void exportAs("svg")}>{t.images.svg}</MenuItem>
            <MenuItem onChoose={() => void exportAs("png")}>{t.images.png}</MenuItem>
          </Menu>
          {canEdit && (
            <Button variant="default" onClick={() => setSetting(true)}>
              {t.plan}
            </Button>
          )}
        </span>
      </div>
      <MilestoneStrip
        estimation={estimation}
        timeline={timeline}
        milestones={milestones}
        rows={rows}
        changes={changes}
      />
      {timeline.problem === "too_long" && <Notice kind="warn">{t.tooLong}</Notice>}
      {timeline.startDate !== null && timeline.startDate < timeline.asOf && (
        <p className={styles.assumed}>{t.asOf(formatMoment(timeline.asOf))}</p>
      )}
      {timeline.assumed.length > 0 && (
        <p className={styles.assumed}>{t.assumed(timeline.assumed.map(({ role }) => role))}</p>
      )}
      {timeline.unused.length > 0 && <p className={styles.assumed}>{t.unused(timeline.unused)}</p>}
      {changes.error && <Notice kind="bad">{failureText(changes.error)}</Notice>}
      {refused && <Notice kind="bad">{refused}</Notice>}
      {linking && <Notice kind="info">{t.task.linking(linking.title)}</Notice>}
      <Chart
        layout={layout}
        holidays={timeline.holidays}
        holidayNames={holidayNames}
        rows={rows}
        links={links}
        selectedId={selectedId}
        onSelect={setSelectedId}
        linking={linking}
        setLinking={canEdit ? setLinkingId : null}
        onLink={link}
        movable={movable}
        onMoveBar={(...bar) => void moveBar(...bar)}
        milestones={milestones ?? []}
        onMoveStart={canEdit ? moveStart : null}
        onMoveMilestone={canEdit ? moveMilestone : null}
        isNarrow={isNarrow}
      />
      {selected && (
        <TaskPanel
          row={selected}
          rows={rows}
          timeline={timeline}
          changes={canEdit ? changes : null}
          onLink={link}
          isMovable={movable.has(selected.id) && !isNarrow}
          onStartLinking={startLinking}
          onSelect={setSelectedId}
        />
      )}
      {isSetting && (
        <Part>
          <SettingsDialog timeline={timeline} tasks={tasks} changes={changes} onClose={() => setSetting(false)} />
        </Part>
      )}
    </>
  );
}
