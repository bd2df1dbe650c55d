CREATE TABLE "estimation_readers" (
	"estimation_id" text NOT NULL,
	"user_id" text NOT NULL,
	"level" text NOT NULL,
	CONSTRAINT "estimation_readers_estimation_id_user_id_pk" PRIMARY KEY("estimation_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "estimation_readers" ADD CONSTRAINT "estimation_readers_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "estimation_readers" ADD CONSTRAINT "estimation_readers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "estimation_readers_by_user" ON "estimation_readers" USING btree ("user_id","estimation_id");--> statement-breakpoint
INSERT INTO "estimation_readers" ("estimation_id", "user_id", "level") SELECT "id", "owner_id", 'owner' FROM "estimations";
