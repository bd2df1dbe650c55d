ALTER TABLE "export_runs" ADD COLUMN "address" text;
--> statement-breakpoint
UPDATE "export_runs" SET "address" = regexp_replace("destination", ' [^ ]+$', '');
--> statement-breakpoint
ALTER TABLE "export_runs" ALTER COLUMN "address" SET NOT NULL;
