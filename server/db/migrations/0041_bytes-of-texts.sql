CREATE TABLE "text_usage" (
	"estimation_id" text PRIMARY KEY NOT NULL,
	"bytes" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "estimation_usage" ADD COLUMN "text_steps" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "text_usage" ADD CONSTRAINT "text_usage_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- Adds to what the texts of an estimation take. Few texts change the owner's row, which stays locked until the change is
-- committed: it counts whole steps of 64 KiB (`STEP_BYTES`) of each estimation.
CREATE FUNCTION "add_text_bytes"(estimation text, more bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  now_bytes bigint;
  more_steps bigint;
BEGIN
  INSERT INTO text_usage AS u (estimation_id, bytes) VALUES (estimation, more)
    ON CONFLICT (estimation_id) DO UPDATE SET bytes = u.bytes + excluded.bytes
    RETURNING u.bytes INTO now_bytes;
  more_steps := now_bytes / 65536 - (now_bytes - more) / 65536;
  IF more_steps <> 0 THEN
    INSERT INTO estimation_usage AS u (owner_id, estimations, tree_steps, text_steps)
      SELECT e.owner_id, 0, 0, more_steps FROM estimations e WHERE e.id = estimation
      ON CONFLICT (owner_id) DO UPDATE SET text_steps = u.text_steps + excluded.text_steps;
  END IF;
END $$;--> statement-breakpoint
-- For each table with texts: how many bytes a row takes, and whose it is. A function and three triggers count what a
-- statement inserts, updates and deletes; the rows that there are count from the beginning.
DO $do$
DECLARE
  counted record;
  event record;
BEGIN
  FOR counted IN SELECT * FROM (VALUES
    ('thread_messages', 'estimation_id', 'octet_length(body)'),
    ('review_comments', '(SELECT r.estimation_id FROM reviews r WHERE r.id = review_id)', 'coalesce(octet_length(body), 0)'),
    ('reviews', 'estimation_id', 'coalesce(octet_length(note), 0)'),
    ('versions', 'estimation_id', 'coalesce(octet_length(label), 0)'),
    ('tasks', 'estimation_id', 'octet_length(title) + octet_length(description) + coalesce(octet_length(role), 0) + octet_length(base_title) + octet_length(base_description) + coalesce(octet_length(base_role), 0)')
  ) AS c (name, estimation, bytes) LOOP
    EXECUTE format($f$
      CREATE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $t$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          PERFORM add_text_bytes(c.id, c.bytes) FROM (
            SELECT %2$s AS id, sum(%3$s) AS bytes FROM new_rows GROUP BY 1 HAVING sum(%3$s) <> 0
          ) c;
        ELSIF TG_OP = 'DELETE' THEN
          PERFORM add_text_bytes(c.id, -c.bytes) FROM (
            SELECT %2$s AS id, sum(%3$s) AS bytes FROM old_rows GROUP BY 1 HAVING sum(%3$s) <> 0
          ) c;
        ELSE
          PERFORM add_text_bytes(c.id, c.bytes) FROM (
            SELECT r.id, sum(r.bytes) AS bytes FROM (
              SELECT %2$s AS id, %3$s AS bytes FROM new_rows
              UNION ALL SELECT %2$s, -(%3$s) FROM old_rows
            ) r GROUP BY r.id HAVING sum(r.bytes) <> 0
          ) c;
        END IF;
        RETURN NULL;
      END $t$ $f$, 'count_texts_of_' || counted.name, counted.estimation, counted.bytes);
    FOR event IN SELECT * FROM (VALUES
      ('insert', 'NEW TABLE AS new_rows'),
      ('update', 'OLD TABLE AS old_rows NEW TABLE AS new_rows'),
      ('delete', 'OLD TABLE AS old_rows')
    ) AS e (name, rows) LOOP
      EXECUTE format('CREATE TRIGGER %I AFTER %s ON %I REFERENCING %s FOR EACH STATEMENT EXECUTE FUNCTION %I()',
        'count_texts_' || event.name, event.name, counted.name, event.rows, 'count_texts_of_' || counted.name);
    END LOOP;
    EXECUTE format($f$
      INSERT INTO text_usage AS u (estimation_id, bytes)
      SELECT r.id, sum(r.bytes) FROM (SELECT %s AS id, %s AS bytes FROM %I) r GROUP BY r.id HAVING sum(r.bytes) <> 0
      ON CONFLICT (estimation_id) DO UPDATE SET bytes = u.bytes + excluded.bytes
    $f$, counted.estimation, counted.bytes, counted.name);
  END LOOP;
END $do$;--> statement-breakpoint
UPDATE "estimation_usage" u SET "text_steps" = s."steps"
FROM (
  SELECT e."owner_id", sum(t."bytes" / 65536) AS "steps"
  FROM "text_usage" t JOIN "estimations" e ON e."id" = t."estimation_id" GROUP BY e."owner_id"
) s WHERE s."owner_id" = u."owner_id";
