DROP INDEX "shares_not_accepted";--> statement-breakpoint
ALTER TABLE "shares" ADD COLUMN "mailed_at" timestamp (3) with time zone[] DEFAULT '{}'::timestamptz[] NOT NULL;--> statement-breakpoint
CREATE INDEX "estimations_deleted" ON "estimations" USING btree ("id") WHERE deleted_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "shares_by_person" ON "shares" USING btree ("estimation_id","user_id") WHERE "shares"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "shares_not_accepted" ON "shares" USING btree ("email","sent_at","estimation_id","id") WHERE "shares"."user_id" is null;