CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS btree_gin;
--> statement-breakpoint
-- Every run of one to three characters of a text, in any case: what an index needs to find any part of it, however short.
CREATE FUNCTION "text_grams"(content text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT coalesce(array_agg(DISTINCT substr(folded, at, size)), '{}')
	FROM (SELECT lower(content) AS folded) AS text, generate_series(1, length(folded)) AS at, generate_series(1, 3) AS size
	WHERE at + size - 1 <= length(folded)
$$;
--> statement-breakpoint
-- Every three characters of a text together with each of its tags, as a number: what an index needs to find what has both.
CREATE FUNCTION "tag_grams"(tags text[], content text) RETURNS bigint[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT coalesce(array_agg(DISTINCT hashtextextended(tag || E'\n' || substr(lower(content), at, 3), 0)), '{}')
	FROM unnest(tags) AS tag, generate_series(1, length(lower(content)) - 2) AS at
$$;
