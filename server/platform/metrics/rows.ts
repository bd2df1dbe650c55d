import { exportKinds } from "../../../contract/endpoints/exports.ts";
import { errorKeys, errors, estimationLimits, quotas } from "../../../contract/errors.ts";
import { endpointEntries } from "../../../contract/index.ts";

/** A metric, declared once: what is counted, the page of metrics, and the tests of dashboard and alerts derive from it. */
export interface MetricRow {
  /** As Prometheus has it, with its unit. */
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  /** Every label with all values that it can have: none names a record, a user, an address or a text. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[];
  /** Each combination of values is there from the start, so that the first increase is seen as one. */
  readonly fromStart?: true;
}

/** Requests for anything but an endpoint: pages, documentation, probes, unknown paths. */
export const NO_ENDPOINT = "other";

/** What the worker runs. A test compares this with the jobs that there are. */
export const jobKinds = [
  "end-team",
  "erase-account",
  "hand-over-estimations",
  "forget-invitation-mails",
  "forget-responses",
  "forget-tries",
  "mail-expiring-keys",
  "make-backup",
  "redeliver-failed-webhooks",
  "remind-of-rounds",
  "remove-deleted-estimations",
  "remove-deleted-teams",
  "remove-deleted-webhooks",
  "remove-deleted-webhooks-now",
  "remove-expired-sign-ins",
  "remove-old-audit-events",
  "remove-old-exports",
  "remove-old-notifications",
  "remove-old-webhook-deliveries",
  "remove-revoked-api-keys",
  "reveal-due-rounds",
  "reveal-round",
  "run-export",
  "send-mail",
  "spread-webhook-events",
] as const;

/** The kind of the queue of deliveries, which is a table of its own. */
export const DELIVERIES = "deliveries";

const statuses = [
  ...endpointEntries.flatMap(([, { response }]) => [
    response.status,
    ...("found" in response && response.found ? [response.found.status] : []),
  ]),
  ...Object.values(errors).map(({ status }) => status),
  // An entity that its client has.
  304,
];

export const metricRows = {
  requests: {
    name: "estimation_requests_total",
    type: "counter",
    help: "Requests, by the id of their endpoint and the status of their response",
    labels: {
      endpoint: [...endpointEntries.map(([id]) => id), NO_ENDPOINT],
      status: [...new Set(statuses)].sort((a, b) => a - b).map(String),
    },
  },
  requestSeconds: {
    name: "estimation_request_seconds",
    type: "histogram",
    help: "Time from the head of a request to the end of its response, in seconds; streams last as long as they are read",
    labels: { endpoint: [...endpointEntries.map(([id]) => id), NO_ENDPOINT] },
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  refusals: {
    name: "estimation_refusals_total",
    type: "counter",
    help: "Refused requests, by the key of the error and, for `limit_reached`, the limit",
    labels: { error: errorKeys, limit: ["", ...quotas, ...estimationLimits] },
  },
  eventLoopDelay: {
    name: "estimation_event_loop_delay_seconds",
    type: "gauge",
    help: "How much later than asked for timers ran since the metrics were last read, in seconds: for so long everybody waited",
    labels: { quantile: ["0.5", "0.99", "1"] },
  },
  residentBytes: {
    name: "process_resident_memory_bytes",
    type: "gauge",
    help: "Memory of the process, without that of the database",
  },
  heapBytes: {
    name: "estimation_heap_used_bytes",
    type: "gauge",
    help: "Memory of the objects of the process, those included that are not collected yet",
  },
  processorSeconds: {
    name: "process_cpu_seconds_total",
    type: "counter",
    help: "Processor time of the process, its worker threads included, in seconds",
  },
  startTime: {
    name: "process_start_time_seconds",
    type: "gauge",
    help: "When the process started, in seconds since 1970",
  },
  connections: {
    name: "estimation_database_connections",
    type: "gauge",
    help: "Connections of a pool, by whether a query or transaction uses them",
    labels: { pool: ["requests", "jobs"], state: ["busy", "idle"] },
  },
  connectionWaits: {
    name: "estimation_database_connection_waits",
    type: "gauge",
    help: "Those that wait for a connection of a pool",
    labels: { pool: ["requests", "jobs"] },
  },
  databaseUp: {
    name: "estimation_database_up",
    type: "gauge",
    help: "1 if the database responded to the last look at its queues, else 0",
  },
  queueDepth: {
    name: "estimation_queue_due",
    type: "gauge",
    help: "What is due and does not run yet, by kind of job, or deliveries; at most 10,000 of all jobs are counted, and as many deliveries",
    labels: { kind: [...jobKinds, DELIVERIES] },
  },
  queueAge: {
    name: "estimation_queue_age_seconds",
    type: "gauge",
    help: "For how long the oldest of them is due, in seconds",
    labels: { kind: [...jobKinds, DELIVERIES] },
  },
  jobRuns: {
    name: "estimation_job_runs_total",
    type: "counter",
    help: "Runs of jobs that ended in this process; a failed one is repeated, unless it is given up",
    labels: { kind: jobKinds, outcome: ["done", "failed", "given_up"] },
    fromStart: true,
  },
  attempts: {
    name: "estimation_delivery_attempts_total",
    type: "counter",
    help: "Attempts of webhook deliveries by this process, by what the delivery became",
    labels: { outcome: ["delivered", "retry_scheduled", "failed"] },
    fromStart: true,
  },
  exports: {
    name: "estimation_exports_total",
    type: "counter",
    help: "Exports and pulls that ended in this process, dry runs left out",
    labels: { kind: exportKinds, outcome: ["completed", "partial", "failed", "cancelled"] },
    fromStart: true,
  },
  lastBackup: {
    name: "estimation_last_backup_timestamp_seconds",
    type: "gauge",
    help: "When the last backup succeeded, in seconds since 1970. Without one: when this process started, if it is to make them, else absent",
  },
} as const satisfies Record<string, MetricRow>;
