CREATE TABLE "job_leases" (
	"key" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"payload" json NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"runs" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"lease" text,
	"leased_until" timestamp (3) with time zone,
	"again" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_owners" (
	"user_id" text PRIMARY KEY NOT NULL,
	"under_way" integer DEFAULT 0 NOT NULL,
	"minute_began" timestamp (3) with time zone,
	"claimed" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "queue_clock" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "worker_pools" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "webhook_begun_attempts" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "queue_clock" CASCADE;--> statement-breakpoint
DROP TABLE "worker_pools" CASCADE;--> statement-breakpoint
DROP TABLE "webhook_begun_attempts" CASCADE;--> statement-breakpoint
DROP INDEX "webhook_deliveries_parked";--> statement-breakpoint
DROP INDEX "webhook_deliveries_due";--> statement-breakpoint
DROP INDEX "webhook_deliveries_waiting";--> statement-breakpoint
ALTER TABLE "export_runs" ADD COLUMN "lease" text;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "lease" text;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "leased_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "lease_cost" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_health" ADD COLUMN "slots" integer DEFAULT 4 NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_health" ADD COLUMN "last_ms" integer;--> statement-breakpoint
ALTER TABLE "webhook_health" ADD COLUMN "under_way" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_health" ADD COLUMN "leased_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_owners" ADD CONSTRAINT "webhook_owners_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "job_leases_due" ON "job_leases" USING btree (coalesce("leased_until", "due_at"));--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_by_event" ON "webhook_deliveries" USING btree ("event_id","webhook_id") WHERE redelivery_of is null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("webhook_id","due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries" USING btree ("webhook_id") WHERE due_at is not null and caused_by_owner;--> statement-breakpoint
ALTER TABLE "export_runs" DROP COLUMN "lease_job";--> statement-breakpoint
ALTER TABLE "export_runs" DROP COLUMN "lease_pool";--> statement-breakpoint
ALTER TABLE "export_runs" DROP COLUMN "lease_starts";--> statement-breakpoint
ALTER TABLE "webhook_deliveries" DROP COLUMN "parked";