import { type SQL, sql } from "drizzle-orm";
import type { EventName } from "../../../../contract/events.ts";
import { type Database, prepareRows } from "../../../db/database.ts";
import { isHeld } from "../../../db/instance-state.ts";
import { users } from "../../auth/index.ts";
import { type FormerSecret, formerSecretsOf, readFormerSecrets } from "../former-secrets.ts";
import {
  webhookAttempts,
  webhookDeliveries,
  webhookEvents,
  webhookHealth,
  webhookOwners,
  webhooks,
} from "../tables.ts";

/** Endpoints whose last request took longer, in milliseconds, and those without a request, count as slow. */
export const SLOW_MS = 1_000;
/** Slots of an endpoint at most. */
export const SLOTS = 32;
/**
 * Deliveries that a process may lease beyond the slots of a quick endpoint: what the endpoint takes in this many
 * milliseconds, and at most this many. They wait in memory, so that a slot is used again at once.
 */
const AHEAD_MS = 250;
const AHEAD = 96;
/** Leases of an owner at most, over all processes, and how many of them at slow endpoints: the rest is left to quick ones. */
const OWNER_LEASES = 128;
const OWNER_SLOW_LEASES = 32;
/** A delivery whose lease expired so often fails: something about it ends the process. */
const MOST_EXPIRIES = 25;
/** Webhooks with open deliveries that one claim looks at; the next one continues after them. */
const WALKED = 500;

/** What a process asks for. */
export interface Wanted {
  /** Names this claim; the outcome of a delivery is only written while it is still leased under this name. */
  readonly lease: string;
  readonly leaseMs: number;
  /** Deliveries to lease at quick endpoints at most; more, up to `firstRoom`, only where nothing is under way yet. */
  readonly room: number;
  readonly firstRoom: number;
  /** Deliveries to lease at slow endpoints at most. */
  readonly slowRoom: number;
  /** What an owner may begin within a minute. */
  readonly perMinute: number;
  /** The webhook at which the claim before ended; empty: from the first. */
  readonly after: string;
  readonly now: Date;
}

/** A leased delivery, and what sending it needs. */
export interface Claimed {
  readonly id: string;
  readonly lease: string;
  readonly webhookId: string;
  readonly ownerId: string;
  /** Number of the attempt, from 1, without interrupted ones. */
  readonly attempt: number;
  readonly event: EventName;
  readonly body: string;
  readonly url: string;
  readonly secret: Uint8Array;
  /** Replaced secrets, the newest first; each signs up to `validUntil`. */
  readonly formerSecrets: readonly FormerSecret[];
  /** Neither it nor its owner's account is switched off. */
  readonly active: boolean;
  /** Sent even if its webhook is inactive. */
  readonly byHand: boolean;
  /** Slots of its endpoint, and whether that counts as slow. */
  readonly slots: number;
  readonly isSlow: boolean;
}

export interface Claim {
  readonly claimed: readonly Claimed[];
  /** The last webhook that it looked at; null if it reached the end. */
  readonly last: string | null;
  /** Some webhooks were passed over, because another process was working on them or nothing was known of them yet. */
  readonly passedOver: boolean;
}

const number = (value: number): SQL => sql.raw(String(value));

const isSlow = sql`(h.last_ms is null or h.last_ms > ${number(SLOW_MS)})`;
/** How many more deliveries of a webhook may be leased. Those whose lease has ended are all taken over. */
const free = sql`case when h.leased_until < now() then greatest(h.slots, h.under_way) else
  h.slots - h.under_way + case when ${isSlow} then 0
    else least(${number(AHEAD)}, ${number(AHEAD_MS)} * h.slots / greatest(1, h.last_ms)) end end`;

/** The first open delivery of the next webhook after `id`: one step in the index, however many are due. */
const nextAfter = (id: SQL): SQL => sql`
  select d.webhook_id, d.due_at from ${webhookDeliveries} d
  where d.due_at is not null and d.webhook_id > ${id} order by d.webhook_id, d.due_at limit 1`;

/**
 * Leases deliveries that are due, in one statement; none while nothing may leave the instance. It steps through the index
 * from one webhook with open deliveries to the next, and reads of each as many as may be sent, the longest due first: a backlog costs nothing. Owners and webhooks
 * that another process is working on are passed over, as are locked deliveries, so it waits for nobody.
 *
 * Room goes to those deliveries first whose endpoint has the fewest under way: an endpoint with nothing under way comes
 * before the second request to any other, however quick that one is.
 *
 * A lease that has expired is due like any other; the cut attempt is logged as interrupted, and its count goes on.
 *
 * Does not wait for the commit to reach the disk: a crash of the database may lose the latest leases. Their deliveries
 * are then due again, as if they had expired.
 */
export function prepareClaim(db: Database): (wanted: Wanted) => Promise<Claim> {
  const claim = prepareRows<Row>(db, "claim_due_deliveries", COLUMNS, claimStatement);
  return async (wanted) => {
    const rows = await claim({ ...wanted, now: wanted.now.toISOString() });
    const [first] = rows;
    return {
      claimed: first?.id ? rows.map(readClaimed) : [],
      last: first?.last ?? null,
      passedOver: first?.passedOver === true,
    };
  };
}

const claimStatement = (): SQL => {
  const { placeholder: given } = sql;
  return sql`
    with recursive given as materialized (
      select ${given("lease")}::text as new_lease, ${given("leaseMs")}::float8 * interval '1 millisecond' as duration, ${given("room")}::int as room,
        ${given("firstRoom")}::int as first_room, ${given("slowRoom")}::int as slow_room, ${given("perMinute")}::int as per_minute, ${given("now")}::timestamptz as now,
        set_config('synchronous_commit', 'off', true) as quickly
    ),
    walk as (
      select step.*, 1 as nth from (${nextAfter(sql`${given("after")}::text`)}) step where not ${isHeld}
      union all
      select step.*, nth + 1 from walk cross join lateral (${nextAfter(sql`walk.webhook_id`)}) step
      where nth < ${number(WALKED)}
    ),
    candidates as materialized (
      select w.id, w.user_id, h.webhook_id is not null as known, o.user_id is not null as owner_known
      from walk join ${webhooks} w on w.id = walk.webhook_id and w.deleted_at is null
      left join ${webhookHealth} h on h.webhook_id = w.id
      left join ${webhookOwners} o on o.user_id = w.user_id
      where walk.due_at <= now() and (h.webhook_id is null or ${free} > 0)
    ),
    made as (
      insert into ${webhookHealth} (webhook_id) select id from candidates where not known order by id
      on conflict do nothing
    ),
    made_owners as (
      insert into ${webhookOwners} (user_id) select distinct user_id from candidates where not owner_known order by user_id
      on conflict do nothing
    ),
    owners as materialized (
      select o.user_id, o.under_way, o.slow_under_way,
        case when now() - o.minute_began between interval '0' and interval '1 minute' then o.claimed else 0 end as claimed
      from ${webhookOwners} o where o.user_id in (select user_id from candidates) for update skip locked
    ),
    lanes as materialized (
      select h.webhook_id, c.user_id, h.slots, ${isSlow} as slow, least(${free}, (select first_room + slow_room from given)) as free,
        h.under_way, case when h.leased_until < now() then h.under_way else 0 end as cut
      from candidates c join owners using (user_id) join ${webhookHealth} h on h.webhook_id = c.id
      for update of h skip locked
    ),
    parts as (
      select lanes.*, greatest(0, least(free, greatest(cut, 1 + 2 * case when slow
        then ${number(OWNER_SLOW_LEASES)} - slow_under_way else ${number(OWNER_LEASES)} - owners.under_way end
        / count(*) over (partition by lanes.user_id, slow)))) as most
      from lanes join owners using (user_id), given where case when slow then slow_room else first_room end > 0
    ),
    due as materialized (
      select parts.webhook_id, user_id, slots, slow, oldest.*, (lease is null)::int as fresh,
        case when lease is null then under_way - cut + row_number() over (partition by parts.webhook_id order by oldest.due_at) else 0 end as nth
      from parts cross join lateral (
        select d.id, d.due_at, d.lease, d.leased_until, d.lease_is_slow, d.expired_count from ${webhookDeliveries} d
        where d.webhook_id = parts.webhook_id and d.due_at <= now() and (d.leased_until is null or d.leased_until <= now())
        order by d.due_at limit parts.most for update skip locked) oldest
    ),
    of_kind as (
      select *, sum(fresh) over (partition by user_id, slow order by nth, due_at, id) as kind_load from due
    ),
    of_owner as (
      select of_kind.*, owners.under_way, owners.claimed, sum(fresh) over turn as load, row_number() over turn as number
      from of_kind join owners using (user_id)
      where not slow or owners.slow_under_way + kind_load <= ${number(OWNER_SLOW_LEASES)}
      window turn as (partition by user_id order by nth, due_at, id)
    ),
    in_turn as (
      select of_owner.*, given.*, row_number() over (partition by slow order by nth, due_at, id) as place from of_owner, given
      where under_way + load <= ${number(OWNER_LEASES)} and claimed + number <= per_minute
    ),
    chosen as materialized (
      select * from in_turn
      where place <= case when slow then slow_room when nth <= 1 then first_room else room end
    ),
    leased as (
      update ${webhookDeliveries} d set
        attempt_count = d.attempt_count + c.cut, interrupted_count = d.interrupted_count + c.cut,
        expired_count = d.expired_count + c.cut,
        lease = case when c.over then null else c.new_lease end,
        leased_until = case when c.over then null else clock_timestamp() + c.duration end,
        lease_is_slow = not c.over and c.is_slow,
        status = case when c.over then 'failed' else d.status end,
        due_at = case when c.over then null else d.due_at end,
        next_attempt_at = case when c.over then null else d.next_attempt_at end,
        completed_at = case when c.over then c.now else d.completed_at end
      from (
        select chosen.*, 1 - fresh as cut, fresh = 0 and expired_count + 1 >= ${number(MOST_EXPIRIES)} as over,
          case when fresh = 1 then slow else lease_is_slow end as is_slow
        from chosen
      ) c where d.id = c.id
      returning d.*, c.user_id, c.slots, c.slow, c.cut, c.over, c.is_slow, c.duration, c.leased_until as former_until
    ),
    interrupted as (
      insert into ${webhookAttempts} (delivery_id, number, started_at, duration_ms, error)
      select id, attempt_count, former_until - duration, 0, 'interrupted' from leased where cut = 1
    ),
    counted as (
      update ${webhookHealth} h set under_way = h.under_way + change, leased_until = greatest(h.leased_until, until)
      from (
        select webhook_id, max(leased_until) as until, sum(1 - cut - over::int) as change from leased group by webhook_id
      ) l where h.webhook_id = l.webhook_id
    ),
    paced as (
      update ${webhookOwners} o set under_way = o.under_way + change, slow_under_way = o.slow_under_way + slow_change,
        claimed = owners.claimed + number,
        minute_began = case when owners.claimed = 0 then now() else o.minute_began end
      from (
        select user_id, count(*) filter (where not over) as number, sum(1 - cut - over::int) as change,
          coalesce(sum(1 - cut - over::int) filter (where is_slow), 0) as slow_change
        from leased group by user_id
      ) l join owners using (user_id) where o.user_id = l.user_id
    ),
    summary as (
      select (select case when max(nth) = ${number(WALKED)} then max(webhook_id) end from walk) as last,
        (select count(*) from candidates) > (select count(*) from lanes) as passed_over, quickly from given
    )
    select summary.*, l.id, l.lease, l.webhook_id, l.user_id, l.attempt_count - l.interrupted_count + 1 as attempt, l.event,
      coalesce(l.body, e.data) as body, w.url, w.secret, ${formerSecretsOf(sql`w.id`)} as former, w.active and u.disabled_at is null, l.by_hand and u.disabled_at is null,
      l.slots, l.slow
    from summary
    left join (
      (select * from leased where not over) l
      join ${webhooks} w on w.id = l.webhook_id
      join ${users} u on u.id = w.user_id
      left join ${webhookEvents} e on e.id = l.event_id
    ) on true
    order by l.due_at, l.id`;
};

/** The columns of the statement, in order. */
const COLUMNS = [
  ...(["last", "passedOver", "quickly", "id", "lease", "webhookId", "ownerId", "attempt", "event", "body"] as const),
  ...(["url", "secret", "former", "active", "byHand", "slots", "isSlow"] as const),
];
interface Row extends Omit<Claimed, "formerSecrets"> {
  readonly last: string | null;
  readonly passedOver: boolean;
  readonly quickly: string;
  readonly former: unknown;
}

const readClaimed = ({ last: _last, passedOver: _passedOver, quickly: _quickly, former, ...row }: Row): Claimed => ({
  ...row,
  formerSecrets: readFormerSecrets(former),
});
