CREATE TABLE "sent_invitations" (
	"user_id" text PRIMARY KEY NOT NULL,
	"times" timestamp (3) with time zone[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shares" (
	"id" text PRIMARY KEY NOT NULL,
	"estimation_id" text NOT NULL,
	"email" text NOT NULL,
	"permission" text NOT NULL,
	"sharer_id" text NOT NULL,
	"user_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "sent_invitations" ADD CONSTRAINT "sent_invitations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_sharer_id_users_id_fk" FOREIGN KEY ("sharer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "shares_by_estimation" ON "shares" USING btree ("estimation_id","email");--> statement-breakpoint
CREATE INDEX "shares_in_order" ON "shares" USING btree ("estimation_id","id");--> statement-breakpoint
CREATE INDEX "shares_by_address" ON "shares" USING btree ("email","id");--> statement-breakpoint
CREATE INDEX "shares_not_accepted" ON "shares" USING btree ("email","sent_at") WHERE "shares"."user_id" is null;