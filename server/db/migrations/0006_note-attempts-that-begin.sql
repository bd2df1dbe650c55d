CREATE TABLE "webhook_begun_attempts" (
	"delivery_id" text NOT NULL,
	"number" integer NOT NULL,
	"job_id" bigint NOT NULL,
	"starts" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_begun_attempts_delivery_id_job_id_starts_pk" PRIMARY KEY("delivery_id","job_id","starts")
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "interrupted_count" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE "webhook_attempts" SET "error" = 'no_usable_address', "duration_ms" = 0 WHERE "error" IN ('dns', 'blocked_address');
