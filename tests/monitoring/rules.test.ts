import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { readAlerts } from "../support/alerts.ts";

interface Story {
  /** Series with a value for each minute, in promtool's notation, of which the alert fires at last … */
  readonly bad: Readonly<Record<string, string>>;
  /** … and of which it does not. */
  readonly good: Readonly<Record<string, string>>;
  /** When it fires, and not two minutes earlier. */
  readonly minutes: number;
  /** Labels of the series that the alert has. */
  readonly labels?: Readonly<Record<string, string>>;
}

const process = { instance: "a:9400", job: "estimation" };
const up = 'up{instance="a:9400",job="estimation"}';
const databaseUp = 'estimation_database_up{instance="a:9400",job="estimation"}';
const requests = (status: string) => `estimation_requests_total{endpoint="getTree",status="${status}"}`;
const bucket = (le: string, endpoint = "getTree") =>
  `estimation_request_seconds_bucket{endpoint="${endpoint}",le="${le}"}`;
const age = (kind: string) => `estimation_queue_age_seconds{kind="${kind}"}`;
const runs = (outcome: string) => `estimation_job_runs_total{kind="send-mail",outcome="${outcome}"}`;
const attempts = (outcome: string) => `estimation_delivery_attempts_total{outcome="${outcome}"}`;
const backup = "estimation_last_backup_timestamp_seconds";
/** The same value each minute, or one that grows. */
const always = (value: number) => `${value}x60`;
const each = (step: number) => `0+${step}x60`;

const stories: Readonly<Record<string, Story>> = {
  ServiceDown: { bad: { [up]: "1x9 0x50" }, good: { [up]: "1x9 0 1x50" }, minutes: 12, labels: process },
  DatabaseUnreachable: {
    bad: { [databaseUp]: "1x9 0x50" },
    good: { [databaseUp]: "1x9 0 1x50" },
    minutes: 12,
    labels: process,
  },
  RequestsFail: {
    bad: { [requests("200")]: each(94), [requests("503")]: each(6) },
    good: { [requests("200")]: each(96), [requests("503")]: each(4), [requests("404")]: each(50) },
    minutes: 6,
  },
  RequestsSlow: {
    bad: { [bucket("1")]: each(90), [bucket("2.5")]: each(90), [bucket("5")]: each(100), [bucket("+Inf")]: each(100) },
    // Streams last long by intent.
    good: {
      [bucket("1")]: each(96),
      [bucket("2.5")]: each(100),
      [bucket("+Inf")]: each(100),
      [bucket("1", "watchExport")]: each(0),
      [bucket("+Inf", "watchExport")]: each(100),
    },
    minutes: 11,
  },
  JobsWait: {
    bad: { [age("send-mail")]: always(301) },
    good: { [age("send-mail")]: always(300), [age("deliveries")]: always(4_000) },
    minutes: 5,
  },
  JobsFail: {
    bad: { [runs("failed")]: "0x9 3x50", [runs("given_up")]: "0x9 1x50" },
    good: { [runs("failed")]: "0x9 2x50", [runs("done")]: each(100) },
    minutes: 11,
    labels: { kind: "send-mail" },
  },
  DeliveriesFail: {
    bad: { [attempts("delivered")]: each(4), [attempts("failed")]: each(4), [attempts("retry_scheduled")]: each(1) },
    good: { [attempts("delivered")]: each(5), [attempts("failed")]: each(4), [attempts("retry_scheduled")]: each(1) },
    minutes: 19,
  },
  BackupOld: { bad: { [backup]: "-129601x60" }, good: { [backup]: always(0) }, minutes: 5 },
};

const alerts = readAlerts();

/** Runs promtool; rejects with what it says. */
const promtool = (...words: string[]) =>
  promisify(execFile)("promtool", words).catch((error: { stdout?: string; stderr?: string; message: string }) => {
    throw new Error([error.stdout, error.stderr, error.message].join("\n"));
  });

test("each alert has its story, and promtool accepts the rules", async () => {
  expect(Object.keys(stories)).toEqual(alerts.map(({ name }) => name));
  await promtool("check", "rules", "deploy/alerts.yml");
});

test.each(alerts)(
  "$name fires in time when it should, and else not",
  async ({ name, severity, summary, description }) => {
    const { bad, good, minutes, labels = {} } = stories[name] as Story;
    const firing = [{ exp_labels: { severity, ...labels }, exp_annotations: { summary, description } }];
    const at = (minute: number, expected: unknown[]) => ({
      ...{ eval_time: `${minute}m`, alertname: name },
      exp_alerts: expected,
    });
    const series = (story: Readonly<Record<string, string>>) =>
      Object.entries(story).map(([one, values]) => ({ series: one, values }));
    const folder = await mkdtemp(join(tmpdir(), "estimation-rules-"));
    const file = join(folder, "test.yml");
    const judge = async (tests: readonly object[]) => {
      const rules = {
        rule_files: [join(globalThis.process.cwd(), "deploy/alerts.yml")],
        evaluation_interval: "1m",
        tests,
      };
      await writeFile(file, JSON.stringify(rules));
      await promtool("test", "rules", file);
    };
    try {
      const interval = "1m";
      await judge([
        { interval, input_series: series(bad), alert_rule_test: [at(minutes - 2, []), at(minutes, firing)] },
        { interval, input_series: series(good), alert_rule_test: [minutes, 30, 59].map((minute) => at(minute, [])) },
      ]);
      // What promtool says where they differ is noticed.
      const wrong = { interval, input_series: series(good), alert_rule_test: [at(minutes, firing)] };
      await expect(judge([wrong])).rejects.toThrow("FAILED");
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
