-- Ids of users with every three characters of a text somewhere in name and address, at most `most`. A function, for its setting: a planner that expects many would otherwise read the whole table, where none may have them all.
CREATE FUNCTION "users_with_grams_of"(content text, only_verified boolean, most integer) RETURNS SETOF text LANGUAGE sql STABLE STRICT SET enable_seqscan = off AS $$
	SELECT id FROM users
	WHERE (text_grams(name || E'\n' || email) || case when email_verified_at is null then '{}'::text[] else '{verified}'::text[] end)
		@> (array(SELECT substr(lower(content), at, 3) FROM generate_series(1, length(content) - 2) AS at)
			|| case when only_verified then '{verified}'::text[] else '{}'::text[] end)
	LIMIT most
$$;
--> statement-breakpoint
-- The bytes are numbers that hardly get smaller: compressing them would only take time.
ALTER TABLE "stored_evidence_parts" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
--> statement-breakpoint
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
END $$;
--> statement-breakpoint
-- For each table with texts: how many bytes a row takes, and whose it is. A function and three triggers count what a
-- statement inserts, updates and deletes.
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
  END LOOP;
END $do$;
--> statement-breakpoint
-- The steps of an estimation's texts follow its owner. The rows of both owners are locked in the order of their ids, to avoid deadlocks between two transfers.
CREATE FUNCTION "move_text_steps"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved bigint := (SELECT bytes / 65536 FROM text_usage WHERE estimation_id = NEW.id);
BEGIN
  IF moved > 0 THEN
    INSERT INTO estimation_usage AS u (owner_id, estimations, tree_steps, text_steps)
      SELECT c.owner_id, 0, 0, c.steps FROM (VALUES (OLD.owner_id, -moved), (NEW.owner_id, moved)) AS c (owner_id, steps)
      ORDER BY c.owner_id
      ON CONFLICT (owner_id) DO UPDATE SET text_steps = u.text_steps + excluded.text_steps;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "move_text_steps" AFTER UPDATE OF "owner_id" ON "estimations"
  FOR EACH ROW WHEN (OLD.owner_id <> NEW.owner_id) EXECUTE FUNCTION "move_text_steps"();
