CREATE TABLE "suggestion_feedback" (
	"estimation_id" text NOT NULL,
	"user_id" text NOT NULL,
	"input_hash" text NOT NULL,
	"verdict" text NOT NULL,
	"hours" double precision,
	"p10" double precision NOT NULL,
	"p50" double precision NOT NULL,
	"p80" double precision NOT NULL,
	"p90" double precision NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "suggestion_feedback_estimation_id_user_id_pk" PRIMARY KEY("estimation_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "task_totals" (
	"estimation_id" text PRIMARY KEY NOT NULL,
	"revision" bigint NOT NULL,
	"finished" integer NOT NULL,
	"working" integer NOT NULL,
	"working_finished" integer NOT NULL,
	"actual_hours" double precision NOT NULL,
	"last_done_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "suggestion_feedback" ADD CONSTRAINT "suggestion_feedback_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestion_feedback" ADD CONSTRAINT "suggestion_feedback_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_totals" ADD CONSTRAINT "task_totals_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tasks_finished" ON "tasks" USING btree ("estimation_id","done_at","id") WHERE done_at is not null and hours > 0 and actual_hours > 0;
--> statement-breakpoint
INSERT INTO "task_totals" ("estimation_id", "revision", "finished", "working", "working_finished", "actual_hours", "last_done_at")
SELECT estimation_id, 1, count(*) FILTER (WHERE is_finished), count(*) FILTER (WHERE is_working), count(*) FILTER (WHERE is_working AND is_finished),
  coalesce(sum(actual_hours) FILTER (WHERE is_working AND is_finished), 0), max(done_at) FILTER (WHERE is_working AND is_finished)
FROM (SELECT *, done_at IS NOT NULL AND hours > 0 AND actual_hours > 0 AS is_finished, status = 'open' AND hours > 0 AS is_working FROM "tasks") AS told
GROUP BY estimation_id;
