import { Button } from "@mantine/core";
import { type FormEvent, useId, useState } from "react";
import type { Timeline, TimelineSettings } from "../../../../contract/endpoints/timelines.ts";
import { limits } from "../../../../contract/limits.ts";
import { roleKey } from "../../../../domain/tree/roles.ts";
import { Dialog, DialogEnd } from "../../ui/dialog.tsx";
import { described } from "../../ui/hinted.ts";
import { Input } from "../../ui/input.tsx";
import { fieldNumber, numberStyle } from "../../ui/numbers/format.ts";
import { NumberFault, type Refused, refusedOf } from "../../ui/numbers/number-fault.tsx";
import { isPastedIn, pasteApart } from "../../ui/numbers/pasted.ts";
import { readNumber, type Typed } from "../../ui/numbers/read-number.ts";
import { uiTexts } from "../../ui/texts.ts";
import { HolidayFields } from "./holiday-fields.tsx";
import type { ShownTask } from "./rows.ts";
import { WEEKDAYS } from "./scale.ts";
import styles from "./settings.module.css";
import { timelineTexts } from "./texts.ts";
import type { Changes } from "./use-changes.ts";

const t = timelineTexts.settings;

interface SettingsProps {
  readonly timeline: Timeline;
  readonly tasks: readonly ShownTask[];
  readonly changes: Changes;
  readonly onClose: () => void;
}

type Field = "hoursPerDay" | "focus";

/** Who works, and when. All that is changed is one step to undo. */
export function SettingsDialog({ timeline, tasks, changes, onClose }: SettingsProps) {
  const [zone, setZone] = useState(timeline.timeZone);
  const [typed, setTyped] = useState<Readonly<Record<Field, Typed>>>({
    hoursPerDay: { text: fieldNumber(timeline.hoursPerDay) },
    focus: { text: fieldNumber(Math.round(timeline.focusFactor * 100)) },
  });
  const [faults, setFaults] = useState<Partial<Record<Field, Refused>>>({});
  const [week, setWeek] = useState(timeline.weeklyPattern);
  const [people, setPeople] = useState(() => peopleOf(timeline, tasks));
  const [holidays, setHolidays] = useState<readonly string[]>(timeline.holidays);
  const [place, setPlace] = useState(timeline.holidayPlace);
  const zones = useId();

  const save = (event: FormEvent) => {
    event.preventDefault();
    const hours = readIn(typed.hoursPerDay, [limits.hoursPerDayMin, 24], 8);
    const focus = readIn(typed.focus, [limits.focusFactorMin * 100, 100], 80);
    setFaults({
      ...("fault" in hours && { hoursPerDay: hours.fault }),
      ...("fault" in focus && { focus: focus.fault }),
    });
    if ("fault" in hours || "fault" in focus) return;
    const listed = new Set(timeline.people.map(({ role }) => role));
    const next: Omit<TimelineSettings, "startDate" | "dependencies"> = {
      timeZone: zone,
      hoursPerDay: hours.value,
      focusFactor: Math.round(focus.value) / 100,
      weeklyPattern: week,
      // Where one person is only assumed, nothing is stored.
      people: people.filter(({ role, count }) => listed.has(role) || count > 1),
      holidays: [...holidays],
      holidayPlace: place,
    };
    const names = Object.keys(next) as (keyof typeof next)[];
    const changed = names.filter((name) => JSON.stringify(next[name]) !== JSON.stringify(timeline[name]));
    onClose();
    if (changed.length === 0) return;
    const only = (from: typeof next) => Object.fromEntries(changed.map((name) => [name, from[name]]));
    changes.run({ settings: () => only(next) }, { settings: () => only(timeline) });
  };
  const number = (name: Field, label: string, hint?: string) => (
    <div className={styles.field}>
      <label>
        <span>{label}</span>
        <Input
          type="text"
          inputMode="decimal"
          value={typed[name].text}
          {...described(hint)}
          onPaste={pasteApart}
          aria-invalid={faults[name] !== undefined}
          onChange={(event) => {
            const isPasted = isPastedIn(event, typed[name].isPasted ?? false);
            setTyped({ ...typed, [name]: { text: event.currentTarget.value, isPasted } });
            setFaults({ ...faults, [name]: undefined });
          }}
        />
      </label>
      {faults[name] && (
        <NumberFault
          className={styles.fault}
          text={typed[name].text}
          refused={faults[name]}
          onChoose={(text) => {
            setTyped({ ...typed, [name]: { text } });
            setFaults({ ...faults, [name]: undefined });
          }}
        />
      )}
    </div>
  );
  return (
    <Dialog title={t.title} onClose={onClose} look="wide">
      <form className={styles.form} method="post" onSubmit={save}>
        <div className={styles.fields}>
          {number("hoursPerDay", t.hoursPerDay)}
          {number("focus", `${t.focusFactor} (%)`, t.focusHint)}
          <div className={styles.field}>
            <label>
              <span>{t.timeZone}</span>
              <Input
                type="text"
                list={zones}
                value={zone}
                required
                maxLength={limits.timeZoneLength}
                onChange={({ currentTarget }) => setZone(currentTarget.value)}
              />
            </label>
            <datalist id={zones}>
              {Intl.supportedValuesOf("timeZone").map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </div>
        </div>
        <fieldset className={styles.days}>
          <legend>{t.week}</legend>
          {WEEKDAYS.map((day) => (
            <label key={day}>
              <input
                type="checkbox"
                checked={week[day] > 0}
                onChange={({ currentTarget }) => setWeek({ ...week, [day]: currentTarget.checked ? 1 : 0 })}
              />
              {timelineTexts.weekdays[day]}
            </label>
          ))}
        </fieldset>
        <fieldset className={styles.people}>
          <legend>{t.people}</legend>
          {people.length === 0 && <p className="muted">{t.noRoles}</p>}
          {people.map(({ role, count }) => (
            <label key={role}>
              <span>{role}</span>
              <Input
                type="number"
                min={1}
                max={limits.peoplePerRole}
                required
                aria-label={t.peopleOf(role)}
                value={count}
                onChange={({ currentTarget: { valueAsNumber } }) =>
                  setPeople(people.map((each) => (each.role === role ? { role, count: valueAsNumber || 1 } : each)))
                }
              />
            </label>
          ))}
        </fieldset>
        <HolidayFields
          startDate={timeline.startDate}
          days={holidays}
          onChange={setHolidays}
          place={place}
          onPlace={setPlace}
        />
        <DialogEnd>
          <Button variant="default" onClick={onClose}>
            {uiTexts.cancel}
          </Button>
          <Button type="submit">{t.save}</Button>
        </DialogEnd>
      </form>
    </Dialog>
  );
}

/** All roles, of the timeline and of tasks, with their people. Two spellings of a role are one, as the timeline has it first. */
function peopleOf({ people }: Timeline, tasks: readonly ShownTask[]): TimelineSettings["people"] {
  const found = new Map<string, { role: string; count: number }>();
  for (const { role, count } of people) {
    const known = found.get(roleKey(role));
    found.set(
      roleKey(role),
      known ? { ...known, count: Math.min(known.count + count, limits.peoplePerRole) } : { role, count },
    );
  }
  for (const { role, hours } of tasks) {
    if (role !== null && hours !== null && roleKey(role) !== "" && !found.has(roleKey(role))) {
      found.set(roleKey(role), { role, count: 1 });
    }
  }
  return [...found.values()].sort((a, b) => (a.role < b.role ? -1 : 1));
}

function readIn(typed: Typed, [least, most]: readonly [number, number], example: number) {
  const read = readNumber(typed, numberStyle);
  const words = t.unreadable(example);
  if (!read.ok) return { fault: refusedOf(read, words) };
  if (read.value === null || read.value < least || read.value > most) return { fault: words };
  return { value: read.value };
}
