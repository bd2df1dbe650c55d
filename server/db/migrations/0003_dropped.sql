ALTER TABLE "connections" ADD COLUMN "dropped_resolutions" json;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "dropped_at" timestamp (3) with time zone;