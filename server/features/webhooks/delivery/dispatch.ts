import { randomUUID } from "node:crypto";
import type pg from "pg";
import { createPool, drizzleOver } from "../../../db/database.ts";
import { blamesData, isDatabaseUnavailable, retryConflicts } from "../../../db/failures.ts";
import { createListener, type Listener } from "../../../db/listen-store.ts";
import { every, monotonicMs, pause, sleep, systemClock } from "../../../platform/clock.ts";
import type { Outbound } from "../../../platform/outbound/index.ts";
import type { Services } from "../../../services/index.ts";
import { CHANNEL } from "../announce-store.ts";
import { type Attempted, createAttempt } from "./attempt.ts";
import { type Claimed, prepareClaim } from "./claim-store.ts";
import { createLanes, type Leased } from "./lanes.ts";
import { type Outcome, prepareOutcomes } from "./outcome-store.ts";

/**
 * Deliveries that a process leases at the same time at quick endpoints, how many more where nothing is under way yet, and how
 * many at endpoints that are slow or not known yet. Those at quick endpoints that have begun to stall only count in the sum
 * of all: many that stall together keep no others waiting.
 */
const QUICK_LEASED = 300;
const FIRST_LEASED = 100;
const SLOW_LEASED = 200;
const LEASED = 1_000;
/** How often to look for leased deliveries that wait for too long, in milliseconds. */
const LATE_MS = 250;
/**
 * A lease lasts for an attempt and this many milliseconds more. An attempt begins only while so much of the lease is left
 * that it can end and be written before another process may take the delivery over.
 */
const LEASE_BEYOND_MS = 8_000;
const BEGIN_WITHIN_MS = 6_000;
/** How often to look for deliveries that became due, in milliseconds; others are announced. */
const POLL_MS = 1_000;
/** When to look again for what another process was working on, in milliseconds. */
const LOOK_MS = 10;
/** Pause after a statement that failed, in milliseconds. */
const RETRY_MS = 200;
/** After this time, in milliseconds, a database that does not respond counts as gone. */
const QUERY_MS = 10_000;
/** Outcomes of one statement. */
const BATCH = 200;
/** How often an outcome is written again, half a second apart, before its delivery is left to be sent again. */
const TRIES = 20;
const AGAIN_MS = 500;
/** How long attempts may go on when the process stops, and how long their outcomes may take. */
const DRAIN_MS = 5_000;
const WRITE_MS = 2_000;

interface Ended {
  readonly outcome: Outcome;
  readonly leased: Leased;
  readonly tries: number;
}

/** The delivery is due at once. */
const asBefore = { status: null, nextAttemptAt: null, completedAt: null, delayMs: null };

/**
 * Leases deliveries that are due, sends each once, and writes what became of them: one statement after the other, so that
 * outcomes are written before more is leased, and only one connection is in use. Returns how to stop it. It hears of
 * new deliveries from `listener`, by default on a connection of its own.
 */
export function startDispatcher(
  services: Services,
  connection: pg.PoolConfig,
  outbound: Outbound,
  listener?: Listener,
): () => Promise<void> {
  const { clock, config, log, metrics } = services;
  // Its own connection: neither requests nor jobs may keep a lease from being written.
  const connections = createPool({ query_timeout: QUERY_MS, ...connection }, log, 1);
  const pool = drizzleOver(connections);
  const claimDue = prepareClaim(pool);
  const record = prepareOutcomes(pool);
  const attempt = createAttempt(services, outbound);
  const leaseMs = config.webhookTimeoutSeconds * 1_000 + LEASE_BEYOND_MS;
  const stopping = new AbortController();
  const aborting = new AbortController();
  let isOver = false;
  let quick = 0;
  let slow = 0;
  let stalled = 0;
  let ended: Ended[] = [];
  let after = "";
  let wake = () => {};
  let isAwake = false;
  /** Whether something became due since the current walk over the webhooks began. */
  let hasNews = false;

  const ring = (): void => {
    isAwake = true;
    wake();
  };

  const end = (leased: Leased, outcome: Omit<Outcome, "claimed">): void => {
    ended.push({ outcome: { claimed: leased.claimed, ...outcome }, leased, tries: 0 });
    ring();
  };
  const count = ({ isStalled, claimed: { isSlow } }: Leased, change: number): void => {
    if (isStalled) stalled += change;
    else if (isSlow) slow += change;
    else quick += change;
  };

  const send = async (leased: Leased): Promise<boolean> => {
    const startedMs = monotonicMs();
    const attempted = await attempt(leased.claimed, aborting.signal);
    const tookMs = monotonicMs() - startedMs;
    end(leased, { attempt: attempted, tookMs, ...stepAfter(leased.claimed, attempted) });
    return attempted.error === "timeout";
  };
  const lanes = createLanes({
    send,
    giveBack: (leased, stalledMs) => end(leased, { ...asBefore, attempt: null, tookMs: stalledMs }),
    onStall(underWay) {
      for (const leased of underWay) {
        count(leased, -1);
        leased.isStalled = !leased.claimed.isSlow;
        count(leased, 1);
      }
    },
    withinMs: BEGIN_WITHIN_MS,
  });

  /** What follows an attempt. */
  const stepAfter = (
    { attempt: number }: Claimed,
    attempted: Attempted,
  ): Omit<Outcome, "claimed" | "attempt" | "tookMs"> => {
    const { webhookRetryDelaysSeconds: delays, webhookMaxAttempts } = config;
    if (attempted.error === "interrupted") return asBefore;
    // As if it had taken no time: how long a name took to resolve tells whether the internal network has it.
    const now = attempted.error === "no_usable_address" ? new Date(attempted.startedAt) : clock.now();
    const over = { nextAttemptAt: null, completedAt: now, delayMs: null };
    if (attempted.error === null) return { ...over, status: "delivered" };
    if (number >= webhookMaxAttempts || attempted.error === "webhook_inactive") return { ...over, status: "failed" };
    const scheduledMs = (delays[Math.min(number, delays.length) - 1] ?? 0) * 1_000;
    const nextAttemptAt = new Date(now.getTime() + Math.max(scheduledMs, attempted.pauseMs));
    const delayMs = Math.max(0, nextAttemptAt.getTime() - clock.now().getTime());
    return { status: "retry_scheduled", nextAttemptAt, completedAt: null, delayMs };
  };

  /** Writes outcomes; each of them alone if they cannot be written together. */
  const write = async (batch: readonly Ended[]): Promise<void> => {
    try {
      const written = await retryConflicts(() => record(batch.map(({ outcome }) => outcome)));
      for (const [at, isWritten] of written.entries()) {
        const { claimed, status } = (batch[at] as Ended).outcome;
        if (isWritten && status !== null) metrics.attempts.inc({ outcome: status });
        const deliveryId = claimed.id;
        if (!isWritten) log.debug({ deliveryId }, "an outcome came after the lease of its delivery, and was dropped");
      }
      for (const { leased } of batch) count(leased, -1);
    } catch (error) {
      if (isDatabaseUnavailable(error)) {
        ended = [...batch, ...ended];
        throw error;
      }
      if (batch.length > 1) {
        // Those that were not reached, where the database is gone meanwhile, are written once it is back.
        for (const [at, one] of batch.entries())
          await write([one]).catch((error) => {
            ended = [...batch.slice(at + 1), ...ended];
            throw error;
          });
      } else if (batch[0]) writeLater(batch[0], error);
    }
  };

  /** A request cannot be taken back: so that it is not sent again, its outcome is written later, whatever the error. */
  const writeLater = ({ outcome, leased, tries }: Ended, error: unknown): void => {
    const deliveryId = outcome.claimed.id;
    if (tries === TRIES) {
      log.error({ err: error, deliveryId }, "an outcome could not be written; its delivery will be sent again");
      count(leased, -1);
      return;
    }
    // Only headers and body come from outside. Better to log without them than to send the delivery again for ever.
    const isBad = blamesData(error) && outcome.attempt !== null;
    if (isBad) log.error({ err: error, deliveryId }, "a response could not be stored; it is left out of the log");
    const attempt =
      isBad && outcome.attempt ? { ...outcome.attempt, responseHeaders: null, responseBody: null } : outcome.attempt;
    systemClock.after(isBad ? 0 : AGAIN_MS, () => {
      ended.push({ outcome: { ...outcome, attempt }, leased, tries: tries + 1 });
      ring();
    });
  };

  const claim = async (): Promise<void> => {
    const left = Math.max(0, LEASED - quick - slow - stalled);
    const firstRoom = Math.min(left, QUICK_LEASED + FIRST_LEASED - quick);
    const slowRoom = Math.min(left, SLOW_LEASED - slow);
    if (firstRoom + slowRoom === 0) return;
    if (after === "") hasNews = false;
    const sentMs = monotonicMs();
    const { claimed, last, passedOver } = await claimDue({
      lease: randomUUID(),
      leaseMs,
      room: Math.max(0, Math.min(left, QUICK_LEASED - quick)),
      firstRoom,
      slowRoom,
      perMinute: config.webhookDeliveriesPerMinute,
      after,
      now: clock.now(),
    });
    after = last ?? "";
    for (const one of claimed) {
      const leased = { claimed: one, sentMs, isStalled: false };
      count(leased, 1);
      lanes.add(leased);
    }
    // What became due behind this walk over the webhooks is found by the next one.
    if (last !== null || hasNews) ring();
    else if (passedOver) systemClock.after(LOOK_MS, ring);
  };

  const turn = async (): Promise<void> => {
    const batch = ended.splice(0, BATCH);
    if (batch.length > 0) await write(batch);
    if (!stopping.signal.aborted) await claim();
    if (ended.length > 0) ring();
  };

  const work = async (): Promise<void> => {
    while (!isOver) {
      if (!isAwake) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
      isAwake = false;
      try {
        await turn();
      } catch (error) {
        log.warn({ err: error }, "deliveries could not be taken or written down; this is tried again");
        await pause(systemClock, RETRY_MS);
        ring();
      }
    }
  };

  const working = work();
  const endPolling = every(systemClock, POLL_MS, async () => ring());
  const endLooking = every(systemClock, LATE_MS, async () => lanes.giveBackLate());
  const listening = listener ?? createListener(connection, log);
  const hear = () => {
    hasNews = true;
    ring();
  };
  const endListening = listening.on(CHANNEL, hear, hear);
  ring();
  const stop = async () => {
    stopping.abort();
    endPolling();
    endLooking();
    lanes.stop();
    ring();
    const isIdle = async (ms: number): Promise<boolean> => {
      for (const untilMs = monotonicMs() + ms; quick + slow + stalled > 0 && monotonicMs() < untilMs; )
        await sleep(LOOK_MS);
      return quick + slow + stalled === 0;
    };
    if (!(await isIdle(DRAIN_MS))) {
      aborting.abort();
      if (!(await isIdle(WRITE_MS))) log.warn("deliveries were still under way when the process stopped");
    }
    isOver = true;
    ring();
    endListening();
    await Promise.all([working, listener ? undefined : listening.stop()]);
    await connections.end();
  };
  let stopped: Promise<void> | undefined;
  return () => {
    stopped ??= stop();
    return stopped;
  };
}
