CREATE TABLE "activity_entries" (
	"estimation_id" text NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"person_id" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone NOT NULL,
	"edits" integer NOT NULL,
	"hours_before" double precision,
	"hours_after" double precision,
	"subject" json NOT NULL,
	CONSTRAINT "activity_entries_estimation_id_number_pk" PRIMARY KEY("estimation_id","number")
);
--> statement-breakpoint
ALTER TABLE "activity_entries" ADD CONSTRAINT "activity_entries_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity_entries" ADD CONSTRAINT "activity_entries_person_id_users_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activity_edits" ON "activity_entries" USING btree ("estimation_id","person_id","number") WHERE kind = 'content.edited';