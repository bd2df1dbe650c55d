DROP INDEX "users_by_text";--> statement-breakpoint
DROP INDEX "users_by_email_start";--> statement-breakpoint
DROP INDEX "users_by_name_start";--> statement-breakpoint
CREATE INDEX "users_by_grams" ON "users" USING gin ((text_grams(name || E'\n' || email) || case when email_verified_at is null then '{}'::text[] else '{verified}'::text[] end)) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "users_by_email_start" ON "users" USING btree ((case when email_verified_at is null then 0 else 1 end),"email" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "users_by_name_start" ON "users" USING btree ((case when email_verified_at is null then 0 else 1 end),lower(name) text_pattern_ops,"id");--> statement-breakpoint
-- Ids of users with every three characters of a text somewhere in name and address, at most `most`. A function, for its setting: a planner that expects many would otherwise read the whole table, where none may have them all.
CREATE FUNCTION "users_with_grams_of"(content text, only_verified boolean, most integer) RETURNS SETOF text LANGUAGE sql STABLE STRICT SET enable_seqscan = off AS $$
	SELECT id FROM users
	WHERE (text_grams(name || E'\n' || email) || case when email_verified_at is null then '{}'::text[] else '{verified}'::text[] end)
		@> (array(SELECT substr(lower(content), at, 3) FROM generate_series(1, length(content) - 2) AS at)
			|| case when only_verified then '{verified}'::text[] else '{}'::text[] end)
	LIMIT most
$$;
