ALTER TABLE "users" ADD COLUMN "password_proved" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Passwords that are known to have been set through a mailed link.
UPDATE "users" SET "password_proved" = true WHERE EXISTS (SELECT FROM "audit_events" e WHERE e."user_id" = "users"."id" AND e."event" = 'password.reset');
