CREATE TABLE "connection_paces" (
	"connection_id" text PRIMARY KEY NOT NULL,
	"paced" json NOT NULL,
	"held_by" text,
	"held_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "export_items" (
	"export_id" text NOT NULL,
	"number" integer NOT NULL,
	"task_id" text NOT NULL,
	"level" integer NOT NULL,
	"parent_id" text,
	"link_id" text,
	"milestone" text,
	"stage" text DEFAULT 'start' NOT NULL,
	"outcome" text DEFAULT 'pending' NOT NULL,
	"result" text,
	"sends" integer DEFAULT 0 NOT NULL,
	"updates" text[] DEFAULT '{}'::text[] NOT NULL,
	"reason" text,
	"url" text,
	"kept_fields" text[] DEFAULT '{}'::text[] NOT NULL,
	"warnings" json,
	CONSTRAINT "export_items_export_id_number_pk" PRIMARY KEY("export_id","number")
);
--> statement-breakpoint
CREATE TABLE "export_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"estimation_id" text NOT NULL,
	"kind" text NOT NULL,
	"target" text NOT NULL,
	"destination" text NOT NULL,
	"project" text NOT NULL,
	"connection_id" text NOT NULL,
	"user_id" text NOT NULL,
	"dry_run" boolean NOT NULL,
	"recreate_deleted" boolean NOT NULL,
	"retry_of" text,
	"status" text DEFAULT 'queued' NOT NULL,
	"problem" json,
	"phase" text DEFAULT 'plan' NOT NULL,
	"prepared" json,
	"total" integer DEFAULT 0 NOT NULL,
	"created" integer DEFAULT 0 NOT NULL,
	"updated" integer DEFAULT 0 NOT NULL,
	"skipped" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"writes_left" integer DEFAULT 0 NOT NULL,
	"faults" integer DEFAULT 0 NOT NULL,
	"cancel_asked" boolean DEFAULT false NOT NULL,
	"told" boolean DEFAULT false NOT NULL,
	"lease_job" bigint,
	"lease_pool" text,
	"lease_starts" integer,
	"expected_end_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "export_ledger" (
	"estimation_id" text NOT NULL,
	"destination" text NOT NULL,
	"task_id" text NOT NULL,
	"target" text NOT NULL,
	"state" text NOT NULL,
	"marker" text NOT NULL,
	"sends" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"look_ups" integer DEFAULT 0 NOT NULL,
	"ref" text,
	"key" text,
	"url" text,
	"pushed" json,
	"parent_ref" text,
	"gone_at" timestamp (3) with time zone,
	"pulled_done_at" timestamp (3) with time zone,
	"touched_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "export_ledger_estimation_id_destination_task_id_pk" PRIMARY KEY("estimation_id","destination","task_id")
);
--> statement-breakpoint
ALTER TABLE "connection_paces" ADD CONSTRAINT "connection_paces_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_items" ADD CONSTRAINT "export_items_export_id_export_runs_id_fk" FOREIGN KEY ("export_id") REFERENCES "public"."export_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_runs" ADD CONSTRAINT "export_runs_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_runs" ADD CONSTRAINT "export_runs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_ledger" ADD CONSTRAINT "export_ledger_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "export_items_by_task" ON "export_items" USING btree ("export_id","task_id");--> statement-breakpoint
CREATE INDEX "export_items_open" ON "export_items" USING btree ("export_id","level","number") WHERE outcome = 'pending';--> statement-breakpoint
CREATE INDEX "export_runs_by_estimation" ON "export_runs" USING btree ("estimation_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "export_runs_active" ON "export_runs" USING btree ("estimation_id","target") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "export_runs_idle" ON "export_runs" USING btree ("updated_at") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "export_ledger_by_task" ON "export_ledger" USING btree ("estimation_id","task_id","touched_at");