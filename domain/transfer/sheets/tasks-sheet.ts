import { deriveTasks } from "../../tasks/derive.ts";
import type { Content } from "../content.ts";
import { column, ESTIMATE, TASKS } from "./addresses.ts";
import { type Cell, formula, HOURS, number, type Sheet, text } from "./cells.ts";
import type { EstimateSheet } from "./estimate-sheet.ts";
import { sheetTexts } from "./texts.ts";

const t = sheetTexts.tasks;

/**
 * Returns the sheet of the tasks that the tree asks for, a parent before its children: the hours that the service gives them,
 * and the expected hours of the option as they are in the sheet Estimate now.
 */
export function tasksSheet({ tree, rounding }: Content, { rowOf, sheet }: EstimateSheet): Sheet {
  const tasks = deriveTasks(tree, rounding);
  const levels = new Map<string, number>();
  const rows = tasks.map((task, index): Cell[] => {
    const level = task.parentTaskId === null ? 0 : (levels.get(task.parentTaskId) ?? 0) + 1;
    levels.set(task.id, level);
    const row = task.optionId === null || task.hours === null ? undefined : rowOf.get(task.optionId);
    return [
      number(index + 1),
      text(task.title, { indent: level, bold: task.hours === null }),
      text(task.role ?? ""),
      task.hours === null ? null : number(task.hours, HOURS),
      row === undefined ? null : formula(`${ESTIMATE}!${column.expected}${row}`, expectedIn(sheet, row), HOURS),
    ];
  });
  const last = rows.length + 1;
  const sum = (letter: "D" | "E", value: number): Cell =>
    formula(rows.length === 0 ? "0" : `SUM(${letter}2:${letter}${last})`, value, { ...HOURS, bold: true });
  const hours = tasks.reduce((all, task) => all + (task.hours ?? 0), 0);
  const expected = rows.reduce((all, row) => all + Number(row[4]?.value ?? 0), 0);
  return {
    name: TASKS,
    rows: [
      [t.number, t.title, t.role, t.hours, t.expected].map((name) => text(name, { head: true })),
      ...rows,
      [null, text(t.total, { bold: true }), null, sum("D", hours), sum("E", expected)],
    ],
    widths: [6, 60, 16, 18, 16],
    frozen: { rows: 1, columns: 0 },
  };
}

const EXPECTED = column.expected.charCodeAt(0) - "A".charCodeAt(0);

const expectedIn = (sheet: Sheet, row: number): number => Number(sheet.rows[row - 1]?.[EXPECTED]?.value ?? 0);
