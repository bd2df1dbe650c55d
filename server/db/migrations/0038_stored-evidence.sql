CREATE TABLE "stored_evidence" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"user_id" text NOT NULL,
	"version" text NOT NULL,
	"stored_at" timestamp (3) with time zone NOT NULL,
	"estimation_ids" jsonb NOT NULL,
	"facts" text NOT NULL,
	"bytes" integer NOT NULL,
	CONSTRAINT "stored_evidence_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "stored_evidence_parts" (
	"stored_id" text NOT NULL,
	"number" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "stored_evidence_parts_stored_id_number_pk" PRIMARY KEY("stored_id","number")
);
--> statement-breakpoint
ALTER TABLE "stored_evidence" ADD CONSTRAINT "stored_evidence_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stored_evidence_parts" ADD CONSTRAINT "stored_evidence_parts_stored_id_stored_evidence_id_fk" FOREIGN KEY ("stored_id") REFERENCES "public"."stored_evidence"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stored_evidence_by_estimation" ON "stored_evidence" USING gin ("estimation_ids");--> statement-breakpoint
CREATE INDEX "stored_evidence_by_time" ON "stored_evidence" USING btree ("stored_at");--> statement-breakpoint
-- The bytes are numbers that hardly get smaller: compressing them would only take time.
ALTER TABLE "stored_evidence_parts" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
