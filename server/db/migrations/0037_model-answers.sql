CREATE TABLE "model_answers" (
	"key" text PRIMARY KEY NOT NULL,
	"estimation_id" text NOT NULL,
	"user_id" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"hours" json
);
--> statement-breakpoint
ALTER TABLE "model_answers" ADD CONSTRAINT "model_answers_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_answers" ADD CONSTRAINT "model_answers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "model_answers_by_user" ON "model_answers" USING btree ("user_id","asked_at");--> statement-breakpoint
CREATE INDEX "model_answers_by_estimation" ON "model_answers" USING btree ("estimation_id");