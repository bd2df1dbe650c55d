ALTER TABLE "users" ADD COLUMN "undelivered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "shares" ADD COLUMN "undelivered_at" timestamp (3) with time zone;