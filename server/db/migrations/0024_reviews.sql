CREATE TABLE "reviewed_contents" (
	"estimation_id" text PRIMARY KEY NOT NULL,
	"tree_hash" "bytea" NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"reviewed_hash" "bytea"
);
--> statement-breakpoint
CREATE TABLE "review_comments" (
	"id" text PRIMARY KEY NOT NULL,
	"review_id" text NOT NULL,
	"parent_id" text,
	"author_id" text NOT NULL,
	"body" text,
	"node_id" text,
	"option_id" text,
	"verdict" text,
	"resolved_by_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"edited_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"id" text PRIMARY KEY NOT NULL,
	"estimation_id" text NOT NULL,
	"reviewer_id" text NOT NULL,
	"requester_id" text NOT NULL,
	"status" text NOT NULL,
	"version_id" text NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"note" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"withdrawn_at" timestamp (3) with time zone,
	"hidden" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "reviewed_contents" ADD CONSTRAINT "reviewed_contents_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_comments" ADD CONSTRAINT "review_comments_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_comments" ADD CONSTRAINT "review_comments_parent_id_review_comments_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."review_comments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_comments" ADD CONSTRAINT "review_comments_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_comments" ADD CONSTRAINT "review_comments_resolved_by_id_users_id_fk" FOREIGN KEY ("resolved_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_reviewer_id_users_id_fk" FOREIGN KEY ("reviewer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_requester_id_users_id_fk" FOREIGN KEY ("requester_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "review_comments_in_order" ON "review_comments" USING btree ("review_id","id");--> statement-breakpoint
CREATE INDEX "review_comments_by_parent" ON "review_comments" USING btree ("parent_id");--> statement-breakpoint
CREATE UNIQUE INDEX "reviews_standing" ON "reviews" USING btree ("estimation_id","reviewer_id") WHERE status <> 'withdrawn';--> statement-breakpoint
CREATE INDEX "reviews_of_estimation" ON "reviews" USING btree ("estimation_id","id");--> statement-breakpoint
CREATE INDEX "reviews_of_reviewer" ON "reviews" USING btree ("estimation_id","reviewer_id","id");--> statement-breakpoint
CREATE INDEX "reviews_by_version" ON "reviews" USING btree ("version_id");--> statement-breakpoint
CREATE INDEX "reviews_inbox" ON "reviews" USING btree ("reviewer_id","status","requested_at","id") WHERE status <> 'withdrawn' and not hidden;