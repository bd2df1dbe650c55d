DROP INDEX "activity_edits";--> statement-breakpoint
ALTER TABLE "activity_entries" ADD COLUMN "hours_delta" double precision;--> statement-breakpoint
UPDATE "activity_entries" SET "hours_delta" = "hours_after" - "hours_before";--> statement-breakpoint
CREATE INDEX "activity_joined" ON "activity_entries" USING btree ("estimation_id","person_id","kind","number") WHERE kind in ('content.edited', 'timeline.edited', 'tasks.edited');--> statement-breakpoint
ALTER TABLE "activity_entries" DROP COLUMN "hours_before";--> statement-breakpoint
ALTER TABLE "activity_entries" DROP COLUMN "hours_after";