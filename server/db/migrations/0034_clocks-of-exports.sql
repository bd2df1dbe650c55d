ALTER TABLE "export_runs" ADD COLUMN "progress_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "export_runs" SET "progress_at" = "updated_at";--> statement-breakpoint
ALTER TABLE "export_runs" ALTER COLUMN "progress_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "export_runs" ADD COLUMN "tracker_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "export_ledger" ADD COLUMN "since_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "export_ledger" ADD COLUMN "look_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "export_ledger" ADD COLUMN "settles_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "export_ledger" ADD COLUMN "unswept" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "export_ledger" ADD COLUMN "pulled_hours" double precision;--> statement-breakpoint
CREATE INDEX "export_runs_by_connection" ON "export_runs" USING btree ("connection_id") WHERE status in ('queued', 'running');