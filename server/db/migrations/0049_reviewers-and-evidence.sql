CREATE TABLE "review_declines" (
	"reviewer_id" text NOT NULL,
	"owner_id" text NOT NULL,
	"declined_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "review_declines_reviewer_id_owner_id_pk" PRIMARY KEY("reviewer_id","owner_id")
);
--> statement-breakpoint
ALTER TABLE "estimation_readers" ADD COLUMN "has_changed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "review_declines" ADD CONSTRAINT "review_declines_reviewer_id_users_id_fk" FOREIGN KEY ("reviewer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_declines" ADD CONSTRAINT "review_declines_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;