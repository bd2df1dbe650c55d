CREATE TABLE "estimation_usage" (
	"owner_id" text PRIMARY KEY NOT NULL,
	"estimations" integer NOT NULL,
	"tree_steps" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "decision_trees" ADD COLUMN "bytes" integer;--> statement-breakpoint
UPDATE "decision_trees" SET "bytes" = octet_length("tree"::text);--> statement-breakpoint
ALTER TABLE "decision_trees" ALTER COLUMN "bytes" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "estimation_usage" ADD CONSTRAINT "estimation_usage_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
INSERT INTO "estimation_usage" ("owner_id", "estimations", "tree_steps")
SELECT e."owner_id", count(*) FILTER (WHERE e."deleted_at" IS NULL), coalesce(sum(ceil(t."bytes" / 65536.0)), 0)
FROM "estimations" e LEFT JOIN "decision_trees" t ON t."estimation_id" = e."id"
GROUP BY e."owner_id";
