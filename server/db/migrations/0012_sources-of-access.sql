ALTER TABLE "estimation_readers" ADD COLUMN "owns" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "estimation_readers" ADD COLUMN "shared" text;--> statement-breakpoint
ALTER TABLE "estimation_readers" ADD COLUMN "reviews" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "estimation_readers" SET "owns" = level = 'owner', "shared" = CASE WHEN level IN ('editor', 'viewer') THEN level END, "reviews" = level = 'reviewer';--> statement-breakpoint
ALTER TABLE "estimation_readers" drop column "level";--> statement-breakpoint
ALTER TABLE "estimation_readers" ADD COLUMN "level" text GENERATED ALWAYS AS (case when owns then 'owner' when shared = 'editor' then 'editor'
        when shared = 'viewer' then 'viewer' when reviews then 'reviewer' end) STORED NOT NULL;
