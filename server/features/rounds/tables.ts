import { isNotNull, sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { AdoptedFrom } from "../../../contract/values/round.ts";
import type { RoundStatus } from "../../../contract/values/round-statuses.ts";
import type { ThreePoint } from "../../../contract/values/tree.ts";
import type { Answers } from "../../../domain/rounds/answers.ts";
import type { Label } from "../../../domain/rounds/options.ts";
import type { Summary } from "../../../domain/rounds/result.ts";
import { id, instant } from "../../db/columns.ts";
import { users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";
import { versions } from "../versions/index.ts";

/** Rounds in which several people estimate the same options. */
export const rounds = pgTable(
  "rounds",
  {
    id: id().primaryKey(),
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
    /** Counts the rounds of the estimation. */
    number: integer().notNull(),
    title: text(),
    status: text().$type<RoundStatus>().notNull(),
    anonymous: boolean().notNull(),
    deadline: instant(),
    /** What people estimate. */
    versionId: id()
      .notNull()
      .references(() => versions.id, { onDelete: "cascade" }),
    /** The round of which it repeats options. */
    repeatsId: id().references((): AnyPgColumn => rounds.id, { onDelete: "set null" }),
    openerId: id()
      .notNull()
      .references(() => users.id),
    /** How many had answered when it ended; while it is open, its participants say. */
    answered: integer().notNull().default(0),
    openedAt: instant().notNull(),
    revealedAt: instant(),
    closedAt: instant(),
    /** When those who had not answered were told of the deadline; null: not yet. */
    remindedAt: instant(),
    /** When it is looked at next, whether it reveals itself: at its deadline, and now and then. */
    lookAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex("rounds_of_estimation").on(table.estimationId, table.number),
    // Two for what is removed.
    index("rounds_by_version").on(table.versionId),
    index("rounds_by_repeated").on(table.repeatsId),
    index("rounds_to_look_at").on(table.lookAt).where(sql`status = 'open'`),
    index("rounds_to_remind")
      .on(table.deadline)
      .where(sql`status = 'open' and reminded_at is null and deadline is not null`),
  ],
);

/** The options of a round, and what came of each. */
export const roundOptions = pgTable(
  "round_options",
  {
    roundId: id()
      .notNull()
      .references(() => rounds.id, { onDelete: "cascade" }),
    /** Its place in the tree, among those of the round, from 0. */
    position: integer().notNull(),
    optionId: id().notNull(),
    /** What people were told of it. */
    label: json().$type<Label>().notNull(),
    /** How often its work was to be done then; estimates are of one time. */
    weight: doublePrecision().notNull(),
    /** Null: not revealed. */
    summary: json().$type<Summary>(),
  },
  (table) => [
    primaryKey({ columns: [table.roundId, table.optionId] }),
    uniqueIndex("round_options_in_order").on(table.roundId, table.position),
  ],
);

/**
 * Who is asked in a round, and while it is open all that they have said, as one value: whatever somebody saves writes one row,
 * which nobody else writes.
 */
export const roundParticipants = pgTable(
  "round_participants",
  {
    roundId: id()
      .notNull()
      .references(() => rounds.id, { onDelete: "cascade" }),
    position: integer().notNull(),
    /** Null: an address was asked. Whoever has accepted its share is meant; no answer changes this row's person. */
    userId: id().references(() => users.id),
    /** Normalized. */
    email: text(),
    /** Null: the round has ended. */
    answers: json().$type<Answers>(),
    /** Whether the round is open, and options are left. */
    waits: boolean().notNull(),
    /** Whether mails about the round go to this person: not to who was asked very often that day. */
    isMailed: boolean().notNull().default(false),
    askedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.roundId, table.position] }),
    uniqueIndex("round_participants_by_user").on(table.roundId, table.userId).where(isNotNull(table.userId)),
    index("round_participants_waiting").on(table.userId, table.roundId).where(sql`waits and user_id is not null`),
    // Two for what bounds the mails to a person.
    index("round_participants_invited").on(table.email, table.askedAt).where(isNotNull(table.email)),
    index("round_participants_asked").on(table.userId, table.askedAt),
  ],
);

/**
 * Estimates that were revealed. Whose they are is stored only in a round that is not anonymous; ids and places are drawn when it is
 * revealed, and say nothing of when they were given.
 */
export const roundEstimates = pgTable(
  "round_estimates",
  {
    id: id().primaryKey(),
    roundId: id()
      .notNull()
      .references(() => rounds.id, { onDelete: "cascade" }),
    optionId: id().notNull(),
    place: integer().notNull(),
    userId: id().references(() => users.id),
    optimistic: doublePrecision().notNull(),
    likely: doublePrecision().notNull(),
    pessimistic: doublePrecision().notNull(),
    note: text(),
    isOutlier: boolean().notNull(),
  },
  (table) => [
    uniqueIndex("round_estimates_in_order").on(table.roundId, table.optionId, table.place),
    index("round_estimates_by_user").on(table.userId, table.id).where(isNotNull(table.userId)),
  ],
);

/** The hours that options were given by rounds, the last ones of each. Whether they have them now, the tree says. */
export const adoptedHours = pgTable(
  "adopted_hours",
  {
    /** Rises. */
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
    optionId: id().notNull(),
    roundId: id()
      .notNull()
      .references(() => rounds.id, { onDelete: "cascade" }),
    from: text().$type<AdoptedFrom>().notNull(),
    hours: json().$type<ThreePoint>().notNull(),
    people: integer().notNull(),
    agreement: doublePrecision(),
    userId: id()
      .notNull()
      .references(() => users.id),
    adoptedAt: instant().notNull(),
  },
  (table) => [
    index("adopted_hours_of_option").on(table.estimationId, table.optionId, table.id),
    // One for rounds that are removed.
    index("adopted_hours_by_round").on(table.roundId),
  ],
);
