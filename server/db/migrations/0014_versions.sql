CREATE TABLE "version_snapshots" (
	"estimation_id" text NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"schema" smallint NOT NULL,
	"snapshot" json NOT NULL,
	"bytes" integer NOT NULL,
	CONSTRAINT "version_snapshots_estimation_id_content_hash_pk" PRIMARY KEY("estimation_id","content_hash")
);
--> statement-breakpoint
CREATE TABLE "versions" (
	"id" text PRIMARY KEY NOT NULL,
	"estimation_id" text NOT NULL,
	"number" integer NOT NULL,
	"label" text,
	"author_id" text NOT NULL,
	"cause" text NOT NULL,
	"parents" text[] DEFAULT '{}'::text[] NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"hours" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "versions_by_number" UNIQUE("estimation_id","number")
);
--> statement-breakpoint
ALTER TABLE "estimation_usage" ADD COLUMN "version_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "version_snapshots" ADD CONSTRAINT "version_snapshots_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "versions" ADD CONSTRAINT "versions_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "versions" ADD CONSTRAINT "versions_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "versions" ADD CONSTRAINT "versions_snapshot_fk" FOREIGN KEY ("estimation_id","content_hash") REFERENCES "public"."version_snapshots"("estimation_id","content_hash") ON DELETE no action ON UPDATE no action;