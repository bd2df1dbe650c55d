CREATE TABLE "thread_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"estimation_id" text NOT NULL,
	"thread_id" text NOT NULL,
	"author_id" text NOT NULL,
	"body" text NOT NULL,
	"version_id" text,
	"node_id" text,
	"option_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by_id" text
);
--> statement-breakpoint
CREATE TABLE "threads" (
	"id" text PRIMARY KEY NOT NULL,
	"estimation_id" text NOT NULL,
	"title" text NOT NULL,
	"base_version_id" text,
	"head_version_id" text,
	"status" text DEFAULT 'open' NOT NULL,
	"current" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "thread_id" text;--> statement-breakpoint
ALTER TABLE "thread_messages" ADD CONSTRAINT "thread_messages_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thread_messages" ADD CONSTRAINT "thread_messages_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thread_messages" ADD CONSTRAINT "thread_messages_resolved_by_id_users_id_fk" FOREIGN KEY ("resolved_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "threads" ADD CONSTRAINT "threads_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "thread_messages_by_thread" ON "thread_messages" USING btree ("estimation_id","thread_id","id");--> statement-breakpoint
CREATE INDEX "threads_by_estimation" ON "threads" USING btree ("estimation_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "threads_one_current" ON "threads" USING btree ("estimation_id") WHERE current;--> statement-breakpoint
-- Estimations that have versions get their first thread, with the latest version as its head. Its id follows from the
-- estimation's. Others have it without a row.
INSERT INTO "threads" ("id", "estimation_id", "title", "head_version_id", "status", "current", "created_at")
SELECT 'thr' || substr(e."id", 4), e."id", 'Main', v."id", 'open', true, e."created_at"
FROM (SELECT DISTINCT ON ("estimation_id") "id", "estimation_id" FROM "versions" ORDER BY "estimation_id", "number" DESC) v
JOIN "estimations" e ON e."id" = v."estimation_id";
