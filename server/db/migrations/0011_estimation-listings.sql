-- Every run of one to three characters of a text, in any case: what an index needs to find any part of it, however short.
CREATE FUNCTION "text_grams"(content text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT coalesce(array_agg(DISTINCT substr(folded, at, size)), '{}')
	FROM (SELECT lower(content) AS folded) AS text, generate_series(1, length(folded)) AS at, generate_series(1, 3) AS size
	WHERE at + size - 1 <= length(folded)
$$;
--> statement-breakpoint
CREATE TABLE "estimation_listings" (
	"estimation_id" text NOT NULL,
	"user_id" text NOT NULL,
	"tag" text NOT NULL,
	"status" text NOT NULL,
	"level" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "estimation_listings_estimation_id_user_id_tag_pk" PRIMARY KEY("estimation_id","user_id","tag")
);
--> statement-breakpoint
CREATE TABLE "estimation_texts" (
	"estimation_id" text PRIMARY KEY NOT NULL,
	"readers" text[] NOT NULL,
	"text" text NOT NULL,
	"tags" text[] NOT NULL,
	"status" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
INSERT INTO "estimation_listings" ("estimation_id", "user_id", "tag", "status", "level", "updated_at", "created_at")
SELECT e.id, r.user_id, tag, e.status, r.level, e.updated_at, e.created_at
FROM "estimations" e JOIN "estimation_readers" r ON r.estimation_id = e.id CROSS JOIN LATERAL unnest(array_append(e.tags, '')) AS tag
WHERE e.deleted_at IS NULL;
--> statement-breakpoint
INSERT INTO "estimation_texts" ("estimation_id", "readers", "text", "tags", "status", "updated_at", "created_at")
SELECT e.id, array(SELECT r.user_id FROM "estimation_readers" r WHERE r.estimation_id = e.id), e.title || E'\n' || coalesce(e.client_name, ''),
	e.tags, e.status, e.updated_at, e.created_at
FROM "estimations" e WHERE e.deleted_at IS NULL;
--> statement-breakpoint
DROP INDEX "estimations_by_update";--> statement-breakpoint
DROP INDEX "estimations_by_creation";--> statement-breakpoint
DROP INDEX "estimations_by_tag";--> statement-breakpoint
DROP INDEX "estimations_by_text";--> statement-breakpoint
ALTER TABLE "estimation_listings" ADD CONSTRAINT "estimation_listings_reader_fk" FOREIGN KEY ("estimation_id","user_id") REFERENCES "public"."estimation_readers"("estimation_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "estimation_texts" ADD CONSTRAINT "estimation_texts_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "estimation_listings_by_update" ON "estimation_listings" USING btree ("user_id","tag","status","level","updated_at","estimation_id");--> statement-breakpoint
CREATE INDEX "estimation_listings_by_creation" ON "estimation_listings" USING btree ("user_id","tag","status","level","created_at","estimation_id");--> statement-breakpoint
CREATE INDEX "estimation_texts_search" ON "estimation_texts" USING gin ("readers",text_grams(text)) WITH (fastupdate=false);