ALTER TABLE "estimations" ADD COLUMN "hours_optimistic" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "estimations" ADD COLUMN "hours_pessimistic" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "estimations" ADD COLUMN "hours_deviation" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "roll_up_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "versions_by_roll_up_version" ON "versions" USING btree ("roll_up_version","id");