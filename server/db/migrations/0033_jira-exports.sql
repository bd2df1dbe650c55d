ALTER TABLE "connections" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "export_items" ADD COLUMN "depth" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "export_runs" ADD COLUMN "issue_type" text;--> statement-breakpoint
ALTER TABLE "export_runs" ADD COLUMN "layout" json;--> statement-breakpoint
-- Runs under way begin with their first step again, which stores the layout: what they did is in their items.
UPDATE "export_runs" SET "phase" = 'plan', "prepared" = NULL WHERE "status" IN ('queued', 'running');
