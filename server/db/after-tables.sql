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
-- A claim changes no indexed column: where its page has room for the leased row, no index is written.
ALTER TABLE "webhook_deliveries" SET (fillfactor = 50);

--> statement-breakpoint
-- Written all the time, and worth nothing after a crash. Rows change in place where their page has room.
ALTER TABLE "request_counts" SET UNLOGGED, SET (fillfactor = 50);
