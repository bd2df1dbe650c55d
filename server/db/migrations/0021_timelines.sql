CREATE TABLE "timelines" (
	"estimation_id" text PRIMARY KEY NOT NULL,
	"settings" json,
	"milestones" json NOT NULL,
	"bytes" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "done_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "timelines" ADD CONSTRAINT "timelines_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE no action ON UPDATE no action;