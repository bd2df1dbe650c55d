ALTER TABLE "export_runs" ADD COLUMN "small_batches" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "export_runs" ADD COLUMN "checked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "export_ledger" ADD COLUMN "among" text;--> statement-breakpoint
ALTER TABLE "export_ledger" ADD COLUMN "refused_parent_ref" text;