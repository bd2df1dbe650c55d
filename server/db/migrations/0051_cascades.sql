ALTER TABLE "activity_entries" DROP CONSTRAINT "activity_entries_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "decision_trees" DROP CONSTRAINT "decision_trees_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "estimation_readers" DROP CONSTRAINT "estimation_readers_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "estimation_texts" DROP CONSTRAINT "estimation_texts_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "removed_tree_ids" DROP CONSTRAINT "removed_tree_ids_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "reviewed_contents" DROP CONSTRAINT "reviewed_contents_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "timelines" DROP CONSTRAINT "timelines_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "export_runs" DROP CONSTRAINT "export_runs_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "export_ledger" DROP CONSTRAINT "export_ledger_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "review_comments" DROP CONSTRAINT "review_comments_review_id_reviews_id_fk";
--> statement-breakpoint
ALTER TABLE "review_comments" DROP CONSTRAINT "review_comments_parent_id_review_comments_id_fk";
--> statement-breakpoint
ALTER TABLE "reviews" DROP CONSTRAINT "reviews_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "reviews" DROP CONSTRAINT "reviews_version_id_versions_id_fk";
--> statement-breakpoint
ALTER TABLE "review_mails" DROP CONSTRAINT "review_mails_review_id_reviews_id_fk";
--> statement-breakpoint
ALTER TABLE "shares" DROP CONSTRAINT "shares_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "model_answers" DROP CONSTRAINT "model_answers_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "suggestion_feedback" DROP CONSTRAINT "suggestion_feedback_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "task_totals" DROP CONSTRAINT "task_totals_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "tasks" DROP CONSTRAINT "tasks_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "thread_messages" DROP CONSTRAINT "thread_messages_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "threads" DROP CONSTRAINT "threads_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "version_snapshots" DROP CONSTRAINT "version_snapshots_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "versions" DROP CONSTRAINT "versions_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "versions" DROP CONSTRAINT "versions_snapshot_fk";
--> statement-breakpoint
ALTER TABLE "activity_entries" ADD CONSTRAINT "activity_entries_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "decision_trees" ADD CONSTRAINT "decision_trees_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "estimation_readers" ADD CONSTRAINT "estimation_readers_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "estimation_texts" ADD CONSTRAINT "estimation_texts_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "removed_tree_ids" ADD CONSTRAINT "removed_tree_ids_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviewed_contents" ADD CONSTRAINT "reviewed_contents_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "timelines" ADD CONSTRAINT "timelines_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_runs" ADD CONSTRAINT "export_runs_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_ledger" ADD CONSTRAINT "export_ledger_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_comments" ADD CONSTRAINT "review_comments_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_comments" ADD CONSTRAINT "review_comments_parent_id_review_comments_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."review_comments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_mails" ADD CONSTRAINT "review_mails_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_answers" ADD CONSTRAINT "model_answers_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestion_feedback" ADD CONSTRAINT "suggestion_feedback_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_totals" ADD CONSTRAINT "task_totals_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thread_messages" ADD CONSTRAINT "thread_messages_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "threads" ADD CONSTRAINT "threads_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_snapshots" ADD CONSTRAINT "version_snapshots_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "versions" ADD CONSTRAINT "versions_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "versions" ADD CONSTRAINT "versions_snapshot_fk" FOREIGN KEY ("estimation_id","content_hash") REFERENCES "public"."version_snapshots"("estimation_id","content_hash") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "versions_by_content" ON "versions" USING btree ("estimation_id","content_hash");--> statement-breakpoint
-- What texts take is counted by the functions that write them, no longer by triggers.
DROP FUNCTION "count_texts_of_thread_messages"() CASCADE;--> statement-breakpoint
DROP FUNCTION "count_texts_of_review_comments"() CASCADE;--> statement-breakpoint
DROP FUNCTION "count_texts_of_reviews"() CASCADE;--> statement-breakpoint
DROP FUNCTION "count_texts_of_versions"() CASCADE;--> statement-breakpoint
DROP FUNCTION "count_texts_of_tasks"() CASCADE;--> statement-breakpoint
DROP FUNCTION "move_text_steps"() CASCADE;--> statement-breakpoint
DROP FUNCTION "add_text_bytes"(text, bigint);
