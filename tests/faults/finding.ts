/** A guarantee, and what was observed. */
export interface Finding {
  readonly what: string;
  readonly measured: number;
  /** The least and the most that is allowed, or the exact value. */
  readonly least?: number;
  readonly most?: number;
  readonly exactly?: number;
}

export const holds = ({ measured, least, most, exactly }: Finding): boolean =>
  (least === undefined || measured >= least) &&
  (most === undefined || measured <= most) &&
  (exactly === undefined || measured === exactly);

/** Returns a finding as a line of text. */
export function sayFinding(finding: Finding): string {
  const { what, measured, least, most, exactly } = finding;
  const bounds = [
    least === undefined ? [] : [`at least ${Math.round(least)}`],
    most === undefined ? [] : [`at most ${Math.round(most)}`],
    exactly === undefined ? [] : [`must be ${exactly}`],
  ].flat();
  const verdict = bounds.length === 0 ? "      " : holds(finding) ? "holds " : "BROKEN";
  const allowed = bounds.length === 0 ? "" : ` (${bounds.join(", ")})`;
  return `${verdict}  ${String(Math.round(measured)).padStart(7)}  ${what}${allowed}`;
}
