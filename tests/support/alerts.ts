import { readFileSync } from "node:fs";

/** A rule of `deploy/alerts.yml`. */
export interface Alert {
  readonly name: string;
  readonly expr: string;
  /** How long it has to hold, such as `5m`. */
  readonly lasts: string;
  readonly severity: string;
  readonly summary: string;
  /** Where the operations page says what to do. */
  readonly description: string;
}

const FILE = "deploy/alerts.yml";

/** The rules as they are. */
export const alertsText = (): string => readFileSync(FILE, "utf8");

/** Reads `deploy/alerts.yml`, in which each part of a rule has one line; `promtool` says whether it is right. */
export function readAlerts(): Alert[] {
  const rules = alertsText()
    .split(/^ {6}- alert: /m)
    .slice(1);
  return rules.map((rule) => {
    const part = (pattern: RegExp) => pattern.exec(rule)?.[1] ?? "";
    return {
      name: part(/^(\w+)/),
      expr: part(/^ {8}expr: (.*)$/m),
      lasts: part(/^ {8}for: (.*)$/m),
      severity: part(/severity: (\w+)/),
      summary: part(/^ {10}summary: (.*)$/m),
      description: part(/^ {10}description: (.*)$/m),
    };
  });
}
