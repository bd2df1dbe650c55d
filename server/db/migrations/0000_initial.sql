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
--> statement-breakpoint
CREATE TABLE "instance_keys" (
	"name" text PRIMARY KEY NOT NULL,
	"sealed" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "instance_state" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"held_since" timestamp (3) with time zone,
	"backed_up_at" timestamp (3) with time zone,
	"mail_tried_at" timestamp (3) with time zone,
	"mail_fault" text,
	"backup_tried_at" timestamp (3) with time zone,
	CONSTRAINT "instance_state_once" CHECK ("instance_state"."is_only")
);
--> statement-breakpoint
CREATE TABLE "secret_marks" (
	"name" text PRIMARY KEY NOT NULL,
	"mark" "bytea" NOT NULL,
	"former_mark" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"user_id" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"status" integer NOT NULL,
	"data" json,
	"revision" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_user_id_key_pk" PRIMARY KEY("user_id","key")
);
--> statement-breakpoint
CREATE TABLE "request_counts" (
	"counter" "bytea" PRIMARY KEY NOT NULL,
	"used" bigint NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job_leases" (
	"key" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"payload" json NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"runs" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"lease" text,
	"leased_until" timestamp (3) with time zone,
	"again" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"rotated_at" timestamp (3) with time zone,
	"expiry_mailed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text,
	"event" text NOT NULL,
	"ip" text,
	"user_agent" text,
	"api_key_id" text,
	"actor_id" text,
	"other_user_id" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "known_sign_ins" (
	"pair" "bytea" PRIMARY KEY NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mailed_tokens" (
	"user_id" text NOT NULL,
	"purpose" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mailed_tokens_user_id_purpose_pk" PRIMARY KEY("user_id","purpose")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"token_version" integer NOT NULL,
	"signed_in_at" timestamp (3) with time zone NOT NULL,
	"ip" text,
	"user_agent" text,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "try_counts" (
	"counter" "bytea" PRIMARY KEY NOT NULL,
	"tries" integer NOT NULL,
	"resets_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"avatar_url" text,
	"password_hash" text,
	"password_proved" boolean DEFAULT false NOT NULL,
	"token_version" integer DEFAULT 0 NOT NULL,
	"email_verified_at" timestamp (3) with time zone,
	"proved_by_reset_at" timestamp (3) with time zone,
	"stands_for" text,
	"default_team_id" text,
	"default_permission" text DEFAULT 'view' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_sign_in_at" timestamp (3) with time zone,
	"is_administrator" boolean DEFAULT false NOT NULL,
	"disabled_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "client_answers" (
	"id" text PRIMARY KEY NOT NULL,
	"link_id" text NOT NULL,
	"estimation_id" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"note" text,
	"version_id" text NOT NULL,
	"edition" integer NOT NULL,
	"selection" json NOT NULL,
	"total" json NOT NULL,
	"ip" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "client_links" (
	"id" text PRIMARY KEY NOT NULL,
	"estimation_id" text NOT NULL,
	"creator_id" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"title" text,
	"shows" text NOT NULL,
	"percentile" text NOT NULL,
	"choices" boolean NOT NULL,
	"descriptions" boolean NOT NULL,
	"step" double precision NOT NULL,
	"version_id" text NOT NULL,
	"edition" integer NOT NULL,
	"published" text,
	"bytes" integer NOT NULL,
	"total" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"published_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"accepted_at" timestamp (3) with time zone,
	"applied_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"target" text NOT NULL,
	"name" text NOT NULL,
	"base_url" text,
	"email" text,
	"token" "bytea" NOT NULL,
	"token_set_at" timestamp (3) with time zone NOT NULL,
	"token_rejected_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "activity_entries" (
	"estimation_id" text NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"person_id" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone NOT NULL,
	"edits" integer NOT NULL,
	"hours_delta" double precision,
	"subject" json NOT NULL,
	"thread_id" text,
	"before_id" text,
	"after_id" text,
	"last_version" integer,
	CONSTRAINT "activity_entries_estimation_id_number_pk" PRIMARY KEY("estimation_id","number")
);
--> statement-breakpoint
CREATE TABLE "decision_trees" (
	"estimation_id" text PRIMARY KEY NOT NULL,
	"tree" json NOT NULL,
	"bytes" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "estimation_listings" (
	"estimation_id" text NOT NULL,
	"holder_id" text NOT NULL,
	"tag" text NOT NULL,
	"status" text NOT NULL,
	"level" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"owner_id" text NOT NULL,
	CONSTRAINT "estimation_listings_estimation_id_holder_id_tag_pk" PRIMARY KEY("estimation_id","holder_id","tag")
);
--> statement-breakpoint
CREATE TABLE "estimation_readers" (
	"estimation_id" text NOT NULL,
	"user_id" text,
	"team_id" text,
	"holder_id" text GENERATED ALWAYS AS (coalesce(user_id, team_id)) STORED NOT NULL,
	"owns" boolean DEFAULT false NOT NULL,
	"shared" text,
	"reviews" boolean DEFAULT false NOT NULL,
	"has_changed" boolean DEFAULT false NOT NULL,
	"level" text GENERATED ALWAYS AS (case when owns then 'owner' when shared = 'editor' then 'editor'
        when shared = 'viewer' then 'viewer' when reviews then 'reviewer' end) STORED NOT NULL,
	CONSTRAINT "estimation_readers_estimation_id_holder_id_pk" PRIMARY KEY("estimation_id","holder_id"),
	CONSTRAINT "estimation_readers_one_holder" CHECK ((user_id is null) <> (team_id is null) and (team_id is null or not (owns or reviews or has_changed)))
);
--> statement-breakpoint
CREATE TABLE "estimation_texts" (
	"estimation_id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"readers" text[] NOT NULL,
	"text" text NOT NULL,
	"tags" text[] NOT NULL,
	"status" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "estimation_usage" (
	"owner_id" text PRIMARY KEY NOT NULL,
	"estimations" integer NOT NULL,
	"tree_steps" integer NOT NULL,
	"version_bytes" bigint DEFAULT 0 NOT NULL,
	"text_steps" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "estimations" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"client_name" text,
	"tags" text[] DEFAULT '{}'::text[] NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"hourly_rate" double precision,
	"currency" text,
	"correlation" double precision NOT NULL,
	"rounding" double precision DEFAULT 0.01 NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"is_example" boolean DEFAULT false NOT NULL,
	"review_state" text DEFAULT 'none' NOT NULL,
	"review_stale" boolean DEFAULT false NOT NULL,
	"hours_optimistic" double precision DEFAULT 0 NOT NULL,
	"hours_pessimistic" double precision DEFAULT 0 NOT NULL,
	"hours_deviation" double precision DEFAULT 0 NOT NULL,
	"hours_expected" double precision DEFAULT 0 NOT NULL,
	"hours_p50" double precision DEFAULT 0 NOT NULL,
	"hours_p80" double precision DEFAULT 0 NOT NULL,
	"hours_p90" double precision DEFAULT 0 NOT NULL,
	"hours_p95" double precision DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "live_places" (
	"stream_id" text NOT NULL,
	"estimation_id" text NOT NULL,
	"line_id" text,
	CONSTRAINT "live_places_stream_id_estimation_id_pk" PRIMARY KEY("stream_id","estimation_id")
);
--> statement-breakpoint
CREATE TABLE "live_streams" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"is_person" boolean NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "removed_tree_ids" (
	"estimation_id" text NOT NULL,
	"id" text NOT NULL,
	CONSTRAINT "removed_tree_ids_estimation_id_id_pk" PRIMARY KEY("estimation_id","id")
);
--> statement-breakpoint
CREATE TABLE "reviewed_contents" (
	"estimation_id" text PRIMARY KEY NOT NULL,
	"tree_hash" "bytea" NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"reviewed_hash" "bytea"
);
--> statement-breakpoint
CREATE TABLE "text_usage" (
	"estimation_id" text PRIMARY KEY NOT NULL,
	"bytes" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "timelines" (
	"estimation_id" text PRIMARY KEY NOT NULL,
	"settings" json,
	"milestones" json NOT NULL,
	"bytes" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "connection_paces" (
	"connection_id" text PRIMARY KEY NOT NULL,
	"paced" json NOT NULL,
	"held_by" text,
	"held_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "export_items" (
	"export_id" text NOT NULL,
	"number" integer NOT NULL,
	"task_id" text NOT NULL,
	"level" integer NOT NULL,
	"depth" integer DEFAULT 0 NOT NULL,
	"parent_id" text,
	"link_id" text,
	"milestone" text,
	"stage" text DEFAULT 'start' NOT NULL,
	"outcome" text DEFAULT 'pending' NOT NULL,
	"result" text,
	"sends" integer DEFAULT 0 NOT NULL,
	"updates" text[] DEFAULT '{}'::text[] NOT NULL,
	"reason" text,
	"url" text,
	"kept_fields" text[] DEFAULT '{}'::text[] NOT NULL,
	"warnings" json,
	CONSTRAINT "export_items_export_id_number_pk" PRIMARY KEY("export_id","number")
);
--> statement-breakpoint
CREATE TABLE "export_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"estimation_id" text NOT NULL,
	"kind" text NOT NULL,
	"target" text NOT NULL,
	"address" text NOT NULL,
	"destination" text NOT NULL,
	"project" text NOT NULL,
	"issue_type" text,
	"layout" json,
	"connection_id" text NOT NULL,
	"user_id" text NOT NULL,
	"dry_run" boolean NOT NULL,
	"recreate_deleted" boolean NOT NULL,
	"retry_of" text,
	"status" text DEFAULT 'queued' NOT NULL,
	"problem" json,
	"phase" text DEFAULT 'plan' NOT NULL,
	"prepared" json,
	"total" integer DEFAULT 0 NOT NULL,
	"created" integer DEFAULT 0 NOT NULL,
	"updated" integer DEFAULT 0 NOT NULL,
	"skipped" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"small_batches" boolean DEFAULT false NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"faults" integer DEFAULT 0 NOT NULL,
	"progress_at" timestamp (3) with time zone NOT NULL,
	"tracker_at" timestamp (3) with time zone,
	"cancel_asked" boolean DEFAULT false NOT NULL,
	"told" boolean DEFAULT false NOT NULL,
	"lease" text,
	"expected_end_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "exchange_codes" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"token_version" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "finished_sign_ins" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "identities_by_subject" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "export_ledger" (
	"estimation_id" text NOT NULL,
	"destination" text NOT NULL,
	"task_id" text NOT NULL,
	"target" text NOT NULL,
	"state" text NOT NULL,
	"marker" text NOT NULL,
	"sends" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"since_at" timestamp (3) with time zone,
	"look_ups" integer DEFAULT 0 NOT NULL,
	"look_at" timestamp (3) with time zone,
	"settles_at" timestamp (3) with time zone,
	"unswept" boolean DEFAULT false NOT NULL,
	"ref" text,
	"key" text,
	"url" text,
	"among" text,
	"pushed" json,
	"parent_ref" text,
	"refused_parent_ref" text,
	"gone_at" timestamp (3) with time zone,
	"pulled_done_at" timestamp (3) with time zone,
	"pulled_hours" double precision,
	"touched_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "export_ledger_estimation_id_destination_task_id_pk" PRIMARY KEY("estimation_id","destination","task_id")
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"actor_id" text,
	"estimation_id" text,
	"subject" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "refused_mails" (
	"address_hash" "bytea" NOT NULL,
	"setting" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "refused_mails_address_hash_setting_pk" PRIMARY KEY("address_hash","setting")
);
--> statement-breakpoint
CREATE TABLE "preferences" (
	"user_id" text PRIMARY KEY NOT NULL,
	"chosen" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "review_comments" (
	"id" text PRIMARY KEY NOT NULL,
	"review_id" text NOT NULL,
	"parent_id" text,
	"author_id" text NOT NULL,
	"body" text,
	"node_id" text,
	"option_id" text,
	"verdict" text,
	"resolved_by_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"edited_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "review_declines" (
	"reviewer_id" text NOT NULL,
	"owner_id" text NOT NULL,
	"declined_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "review_declines_reviewer_id_owner_id_pk" PRIMARY KEY("reviewer_id","owner_id")
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"id" text PRIMARY KEY NOT NULL,
	"estimation_id" text NOT NULL,
	"reviewer_id" text NOT NULL,
	"requester_id" text NOT NULL,
	"status" text NOT NULL,
	"version_id" text NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"judged_version_id" text,
	"judged_verdict" text,
	"judged_at" timestamp (3) with time zone,
	"base_version_id" text,
	"note" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"withdrawn_at" timestamp (3) with time zone,
	"hidden" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "review_mails" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "review_mails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"reader_id" text NOT NULL,
	"sender_id" text NOT NULL,
	"review_id" text NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "viewed_options" (
	"review_id" text NOT NULL,
	"option_id" text NOT NULL,
	CONSTRAINT "viewed_options_review_id_option_id_pk" PRIMARY KEY("review_id","option_id")
);
--> statement-breakpoint
CREATE TABLE "held_invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"share_id" text,
	"team_invitation_id" text,
	"address_hash" "bytea" NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitation_mails" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "invitation_mails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"address_hash" "bytea" NOT NULL,
	"sender_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sent_invitations" (
	"user_id" text PRIMARY KEY NOT NULL,
	"times" timestamp (3) with time zone[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shares" (
	"id" text PRIMARY KEY NOT NULL,
	"estimation_id" text NOT NULL,
	"email" text,
	"team_id" text,
	"permission" text NOT NULL,
	"sharer_id" text NOT NULL,
	"user_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	"mailed_at" timestamp (3) with time zone[] DEFAULT '{}'::timestamptz[] NOT NULL,
	CONSTRAINT "shares_with" CHECK (num_nonnulls(email, team_id) = 1)
);
--> statement-breakpoint
CREATE TABLE "model_responses" (
	"key" text PRIMARY KEY NOT NULL,
	"estimation_id" text NOT NULL,
	"user_id" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"hours" json
);
--> statement-breakpoint
CREATE TABLE "stored_evidence" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"user_id" text NOT NULL,
	"version" text NOT NULL,
	"stored_at" timestamp (3) with time zone NOT NULL,
	"estimation_ids" jsonb NOT NULL,
	"facts" text NOT NULL,
	"bytes" integer NOT NULL,
	CONSTRAINT "stored_evidence_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "stored_evidence_parts" (
	"stored_id" text NOT NULL,
	"number" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "stored_evidence_parts_stored_id_number_pk" PRIMARY KEY("stored_id","number")
);
--> statement-breakpoint
CREATE TABLE "suggestion_feedback" (
	"estimation_id" text NOT NULL,
	"user_id" text NOT NULL,
	"input_hash" text NOT NULL,
	"verdict" text NOT NULL,
	"hours" double precision,
	"p10" double precision NOT NULL,
	"p50" double precision NOT NULL,
	"p80" double precision NOT NULL,
	"p90" double precision NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "suggestion_feedback_estimation_id_user_id_pk" PRIMARY KEY("estimation_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "task_totals" (
	"estimation_id" text PRIMARY KEY NOT NULL,
	"revision" bigint NOT NULL,
	"finished" integer NOT NULL,
	"working" integer NOT NULL,
	"working_finished" integer NOT NULL,
	"actual_hours" double precision NOT NULL,
	"last_done_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"id" text PRIMARY KEY NOT NULL,
	"estimation_id" text NOT NULL,
	"option_id" text,
	"parent_task_id" text,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"hours" double precision,
	"role" text,
	"position" integer NOT NULL,
	"status" text NOT NULL,
	"actual_hours" double precision,
	"done_at" timestamp (3) with time zone,
	"external_ref" json,
	"base_title" text NOT NULL,
	"base_description" text NOT NULL,
	"base_hours" double precision,
	"base_role" text,
	"base_optimistic" double precision,
	"base_likely" double precision,
	"base_pessimistic" double precision
);
--> statement-breakpoint
CREATE TABLE "team_invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"team_id" text NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"inviter_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"mailed_at" timestamp (3) with time zone[] DEFAULT '{}'::timestamptz[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "team_members" (
	"team_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"joined_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "team_members_team_id_user_id_pk" PRIMARY KEY("team_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "teams" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "template_uses" (
	"template_id" text NOT NULL,
	"estimation_id" text NOT NULL,
	"applied_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "template_uses_template_id_estimation_id_pk" PRIMARY KEY("template_id","estimation_id")
);
--> statement-breakpoint
CREATE TABLE "templates" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"visibility" text NOT NULL,
	"team_id" text,
	"showable" boolean DEFAULT false NOT NULL,
	"tree" json NOT NULL,
	"bytes" integer NOT NULL,
	"nodes" integer NOT NULL,
	"options" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "templates_team" CHECK ((visibility = 'team') = (team_id is not null))
);
--> statement-breakpoint
CREATE TABLE "thread_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"estimation_id" text NOT NULL,
	"thread_id" text NOT NULL,
	"author_id" text NOT NULL,
	"body" text NOT NULL,
	"version_id" text,
	"node_id" text,
	"option_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by_id" text
);
--> statement-breakpoint
CREATE TABLE "threads" (
	"id" text PRIMARY KEY NOT NULL,
	"estimation_id" text NOT NULL,
	"title" text NOT NULL,
	"base_version_id" text,
	"head_version_id" text,
	"status" text DEFAULT 'open' NOT NULL,
	"current" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "version_snapshots" (
	"estimation_id" text NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"schema" smallint NOT NULL,
	"snapshot" json NOT NULL,
	"bytes" integer NOT NULL,
	CONSTRAINT "version_snapshots_estimation_id_content_hash_pk" PRIMARY KEY("estimation_id","content_hash")
);
--> statement-breakpoint
CREATE TABLE "versions" (
	"id" text PRIMARY KEY NOT NULL,
	"estimation_id" text NOT NULL,
	"number" integer NOT NULL,
	"thread_id" text,
	"label" text,
	"author_id" text NOT NULL,
	"cause" text NOT NULL,
	"parents" text[] DEFAULT '{}'::text[] NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"hours" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "versions_by_number" UNIQUE("estimation_id","number")
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"delivery_id" text NOT NULL,
	"number" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"response_status" integer,
	"response_headers" json,
	"response_body" text,
	"error" text,
	CONSTRAINT "webhook_attempts_delivery_id_number_pk" PRIMARY KEY("delivery_id","number")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"webhook_id" text NOT NULL,
	"event_id" bigint NOT NULL,
	"event" text NOT NULL,
	"body" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"interrupted_count" integer DEFAULT 0 NOT NULL,
	"expired_count" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone,
	"lease" text,
	"leased_until" timestamp (3) with time zone,
	"lease_is_slow" boolean DEFAULT false NOT NULL,
	"redelivery_of" text,
	"original_id" text,
	"by_hand" boolean DEFAULT false NOT NULL,
	"caused_by_owner" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"data" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_former_secrets" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_former_secrets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"webhook_id" text NOT NULL,
	"secret" "bytea" NOT NULL,
	"valid_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_health" (
	"webhook_id" text PRIMARY KEY NOT NULL,
	"last_success_at" timestamp (3) with time zone,
	"failures_in_a_row" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"slots" integer DEFAULT 4 NOT NULL,
	"last_ms" integer,
	"under_way" integer DEFAULT 0 NOT NULL,
	"leased_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_owners" (
	"user_id" text PRIMARY KEY NOT NULL,
	"under_way" integer DEFAULT 0 NOT NULL,
	"slow_under_way" integer DEFAULT 0 NOT NULL,
	"minute_began" timestamp (3) with time zone,
	"claimed" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_recoveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_recoveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"webhook_id" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_spreads" (
	"sender_id" text NOT NULL,
	"event_id" bigint NOT NULL,
	"part" integer NOT NULL,
	"user_ids" text[] NOT NULL,
	"done_to" text DEFAULT '' NOT NULL,
	CONSTRAINT "webhook_spreads_sender_id_event_id_part_pk" PRIMARY KEY("sender_id","event_id","part")
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"description" text NOT NULL,
	"active" boolean NOT NULL,
	"body_format" text NOT NULL,
	"secret" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deactivated_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailed_tokens" ADD CONSTRAINT "mailed_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_answers" ADD CONSTRAINT "client_answers_link_id_client_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."client_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_answers" ADD CONSTRAINT "client_answers_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_answers" ADD CONSTRAINT "client_answers_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_links" ADD CONSTRAINT "client_links_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_links" ADD CONSTRAINT "client_links_creator_id_users_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_links" ADD CONSTRAINT "client_links_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity_entries" ADD CONSTRAINT "activity_entries_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity_entries" ADD CONSTRAINT "activity_entries_person_id_users_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "decision_trees" ADD CONSTRAINT "decision_trees_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "estimation_listings" ADD CONSTRAINT "estimation_listings_reader_fk" FOREIGN KEY ("estimation_id","holder_id") REFERENCES "public"."estimation_readers"("estimation_id","holder_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "estimation_readers" ADD CONSTRAINT "estimation_readers_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "estimation_readers" ADD CONSTRAINT "estimation_readers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "estimation_texts" ADD CONSTRAINT "estimation_texts_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "estimation_usage" ADD CONSTRAINT "estimation_usage_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "estimations" ADD CONSTRAINT "estimations_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_places" ADD CONSTRAINT "live_places_stream_id_live_streams_id_fk" FOREIGN KEY ("stream_id") REFERENCES "public"."live_streams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_places" ADD CONSTRAINT "live_places_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_streams" ADD CONSTRAINT "live_streams_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "removed_tree_ids" ADD CONSTRAINT "removed_tree_ids_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviewed_contents" ADD CONSTRAINT "reviewed_contents_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "text_usage" ADD CONSTRAINT "text_usage_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "timelines" ADD CONSTRAINT "timelines_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_paces" ADD CONSTRAINT "connection_paces_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_items" ADD CONSTRAINT "export_items_export_id_export_runs_id_fk" FOREIGN KEY ("export_id") REFERENCES "public"."export_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_runs" ADD CONSTRAINT "export_runs_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_runs" ADD CONSTRAINT "export_runs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exchange_codes" ADD CONSTRAINT "exchange_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_ledger" ADD CONSTRAINT "export_ledger_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preferences" ADD CONSTRAINT "preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_comments" ADD CONSTRAINT "review_comments_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_comments" ADD CONSTRAINT "review_comments_parent_id_review_comments_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."review_comments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_comments" ADD CONSTRAINT "review_comments_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_comments" ADD CONSTRAINT "review_comments_resolved_by_id_users_id_fk" FOREIGN KEY ("resolved_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_declines" ADD CONSTRAINT "review_declines_reviewer_id_users_id_fk" FOREIGN KEY ("reviewer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_declines" ADD CONSTRAINT "review_declines_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_reviewer_id_users_id_fk" FOREIGN KEY ("reviewer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_requester_id_users_id_fk" FOREIGN KEY ("requester_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_judged_version_id_versions_id_fk" FOREIGN KEY ("judged_version_id") REFERENCES "public"."versions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_base_version_id_versions_id_fk" FOREIGN KEY ("base_version_id") REFERENCES "public"."versions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_mails" ADD CONSTRAINT "review_mails_reader_id_users_id_fk" FOREIGN KEY ("reader_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_mails" ADD CONSTRAINT "review_mails_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_mails" ADD CONSTRAINT "review_mails_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "viewed_options" ADD CONSTRAINT "viewed_options_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_invitations" ADD CONSTRAINT "held_invitations_share_id_shares_id_fk" FOREIGN KEY ("share_id") REFERENCES "public"."shares"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_invitations" ADD CONSTRAINT "held_invitations_team_invitation_id_team_invitations_id_fk" FOREIGN KEY ("team_invitation_id") REFERENCES "public"."team_invitations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_mails" ADD CONSTRAINT "invitation_mails_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sent_invitations" ADD CONSTRAINT "sent_invitations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_sharer_id_users_id_fk" FOREIGN KEY ("sharer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_responses" ADD CONSTRAINT "model_responses_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_responses" ADD CONSTRAINT "model_responses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stored_evidence" ADD CONSTRAINT "stored_evidence_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stored_evidence_parts" ADD CONSTRAINT "stored_evidence_parts_stored_id_stored_evidence_id_fk" FOREIGN KEY ("stored_id") REFERENCES "public"."stored_evidence"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestion_feedback" ADD CONSTRAINT "suggestion_feedback_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestion_feedback" ADD CONSTRAINT "suggestion_feedback_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_totals" ADD CONSTRAINT "task_totals_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_invitations" ADD CONSTRAINT "team_invitations_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_invitations" ADD CONSTRAINT "team_invitations_inviter_id_users_id_fk" FOREIGN KEY ("inviter_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "template_uses" ADD CONSTRAINT "template_uses_template_id_templates_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."templates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "template_uses" ADD CONSTRAINT "template_uses_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "templates" ADD CONSTRAINT "templates_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "templates" ADD CONSTRAINT "templates_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thread_messages" ADD CONSTRAINT "thread_messages_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thread_messages" ADD CONSTRAINT "thread_messages_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thread_messages" ADD CONSTRAINT "thread_messages_resolved_by_id_users_id_fk" FOREIGN KEY ("resolved_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "threads" ADD CONSTRAINT "threads_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_snapshots" ADD CONSTRAINT "version_snapshots_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "versions" ADD CONSTRAINT "versions_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "versions" ADD CONSTRAINT "versions_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "versions" ADD CONSTRAINT "versions_snapshot_fk" FOREIGN KEY ("estimation_id","content_hash") REFERENCES "public"."version_snapshots"("estimation_id","content_hash") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_former_secrets" ADD CONSTRAINT "webhook_former_secrets_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_health" ADD CONSTRAINT "webhook_health_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_owners" ADD CONSTRAINT "webhook_owners_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_recoveries" ADD CONSTRAINT "webhook_recoveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idempotency_keys_by_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "request_counts_by_end" ON "request_counts" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "job_leases_due" ON "job_leases" USING btree (coalesce("leased_until", "due_at"));--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_keys_by_user" ON "api_keys" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "api_keys_by_revocation" ON "api_keys" USING btree ("revoked_at") WHERE revoked_at is not null;--> statement-breakpoint
CREATE INDEX "api_keys_expiring" ON "api_keys" USING btree ("expires_at") WHERE revoked_at is null and expiry_mailed_at is null and expires_at is not null;--> statement-breakpoint
CREATE INDEX "api_keys_standing" ON "api_keys" USING btree ("user_id") WHERE revoked_at is null;--> statement-breakpoint
CREATE INDEX "audit_events_by_user" ON "audit_events" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "audit_events_by_actor" ON "audit_events" USING btree ("actor_id","id") WHERE actor_id is not null;--> statement-breakpoint
CREATE INDEX "audit_events_by_event" ON "audit_events" USING btree ("event","id");--> statement-breakpoint
CREATE INDEX "audit_events_by_age" ON "audit_events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "known_sign_ins_by_age" ON "known_sign_ins" USING btree ("last_at");--> statement-breakpoint
CREATE UNIQUE INDEX "mailed_tokens_hash" ON "mailed_tokens" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "mailed_tokens_by_expiry" ON "mailed_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_by_user" ON "sessions" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "sessions_by_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "try_counts_by_reset" ON "try_counts" USING btree ("resets_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email");--> statement-breakpoint
CREATE INDEX "users_by_email_start" ON "users" USING btree ((case when email_verified_at is null then 0 else 1 end),"email" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "users_by_name_start" ON "users" USING btree ((case when email_verified_at is null then 0 else 1 end),lower(name) text_pattern_ops,"id");--> statement-breakpoint
CREATE INDEX "users_by_grams" ON "users" USING gin ((text_grams(name || E'\n' || email) || case when email_verified_at is null then '{}'::text[] else '{verified}'::text[] end)) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "client_answers_of_link" ON "client_answers" USING btree ("link_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "client_answers_one_acceptance" ON "client_answers" USING btree ("link_id") WHERE kind = 'accepted';--> statement-breakpoint
CREATE INDEX "client_answers_of_estimation" ON "client_answers" USING btree ("estimation_id","created_at");--> statement-breakpoint
CREATE INDEX "client_answers_by_version" ON "client_answers" USING btree ("version_id");--> statement-breakpoint
CREATE INDEX "client_answers_by_email" ON "client_answers" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "client_links_by_token" ON "client_links" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "client_links_of_estimation" ON "client_links" USING btree ("estimation_id","id");--> statement-breakpoint
CREATE INDEX "client_links_by_version" ON "client_links" USING btree ("version_id");--> statement-breakpoint
CREATE INDEX "connections_by_user" ON "connections" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "activity_joined" ON "activity_entries" USING btree ("estimation_id","person_id","kind","number") WHERE kind in ('content.edited', 'timeline.edited', 'tasks.edited', 'version.named', 'link.changed', 'proposal.commented', 'thread.commented', 'review.approved', 'review.changes_requested', 'review.commented');--> statement-breakpoint
CREATE INDEX "estimation_listings_latest" ON "estimation_listings" USING btree ("holder_id","tag","updated_at","estimation_id") WHERE status <> 'deleted';--> statement-breakpoint
CREATE INDEX "estimation_listings_by_update" ON "estimation_listings" USING btree ("holder_id","tag","status","level","updated_at","estimation_id");--> statement-breakpoint
CREATE INDEX "estimation_listings_by_creation" ON "estimation_listings" USING btree ("holder_id","tag","status","level","created_at","estimation_id");--> statement-breakpoint
CREATE INDEX "estimation_listings_of_owner_by_update" ON "estimation_listings" USING btree ("holder_id","owner_id","tag","status","level","updated_at","estimation_id") WHERE level <> 'owner';--> statement-breakpoint
CREATE INDEX "estimation_listings_of_owner_by_creation" ON "estimation_listings" USING btree ("holder_id","owner_id","tag","status","level","created_at","estimation_id") WHERE level <> 'owner';--> statement-breakpoint
CREATE INDEX "estimation_readers_by_holder" ON "estimation_readers" USING btree ("holder_id","estimation_id");--> statement-breakpoint
CREATE INDEX "estimation_readers_teams" ON "estimation_readers" USING btree ("estimation_id") WHERE team_id is not null;--> statement-breakpoint
CREATE INDEX "estimation_texts_search" ON "estimation_texts" USING gin ("readers",text_grams(text),tag_grams(tags, text),"owner_id") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "estimations_deleted" ON "estimations" USING btree ("id") WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX "estimations_by_deletion" ON "estimations" USING btree ("deleted_at") WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX "live_places_by_estimation" ON "live_places" USING btree ("estimation_id");--> statement-breakpoint
CREATE INDEX "live_streams_by_age" ON "live_streams" USING btree ("seen_at");--> statement-breakpoint
CREATE INDEX "live_streams_by_user" ON "live_streams" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "export_items_by_task" ON "export_items" USING btree ("export_id","task_id");--> statement-breakpoint
CREATE INDEX "export_items_open" ON "export_items" USING btree ("export_id","level","number") WHERE outcome = 'pending';--> statement-breakpoint
CREATE INDEX "export_runs_by_estimation" ON "export_runs" USING btree ("estimation_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "export_runs_active" ON "export_runs" USING btree ("estimation_id","target") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "export_runs_by_connection" ON "export_runs" USING btree ("connection_id") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "export_runs_by_user" ON "export_runs" USING btree ("user_id") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "export_runs_idle" ON "export_runs" USING btree ("updated_at") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "exchange_codes_by_expiry" ON "exchange_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "finished_sign_ins_by_expiry" ON "finished_sign_ins" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "identities_by_user" ON "identities" USING btree ("user_id","issuer");--> statement-breakpoint
CREATE INDEX "export_ledger_by_task" ON "export_ledger" USING btree ("estimation_id","task_id","touched_at");--> statement-breakpoint
CREATE INDEX "notifications_by_user" ON "notifications" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "notifications_unread" ON "notifications" USING btree ("user_id") WHERE read_at is null;--> statement-breakpoint
CREATE INDEX "notifications_by_age" ON "notifications" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "notifications_by_estimation" ON "notifications" USING btree ("estimation_id");--> statement-breakpoint
CREATE INDEX "notifications_by_actor" ON "notifications" USING btree ("actor_id");--> statement-breakpoint
CREATE INDEX "review_comments_in_order" ON "review_comments" USING btree ("review_id","id");--> statement-breakpoint
CREATE INDEX "review_comments_by_parent" ON "review_comments" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "review_comments_open" ON "review_comments" USING btree ("review_id","id") WHERE parent_id is null and resolved_by_id is null;--> statement-breakpoint
CREATE UNIQUE INDEX "reviews_standing" ON "reviews" USING btree ("estimation_id","reviewer_id") WHERE status <> 'withdrawn';--> statement-breakpoint
CREATE INDEX "reviews_of_estimation" ON "reviews" USING btree ("estimation_id","id");--> statement-breakpoint
CREATE INDEX "reviews_of_reviewer" ON "reviews" USING btree ("estimation_id","reviewer_id","id");--> statement-breakpoint
CREATE INDEX "reviews_by_version" ON "reviews" USING btree ("version_id");--> statement-breakpoint
CREATE INDEX "reviews_by_judged_version" ON "reviews" USING btree ("judged_version_id");--> statement-breakpoint
CREATE INDEX "reviews_by_base_version" ON "reviews" USING btree ("base_version_id");--> statement-breakpoint
CREATE INDEX "reviews_inbox" ON "reviews" USING btree ("reviewer_id","status","requested_at","id") WHERE status <> 'withdrawn' and not hidden;--> statement-breakpoint
CREATE INDEX "reviews_asked_for" ON "reviews" USING btree ("requester_id","status","requested_at","id") WHERE status <> 'withdrawn' and not hidden;--> statement-breakpoint
CREATE INDEX "review_mails_to_reader" ON "review_mails" USING btree ("reader_id","at");--> statement-breakpoint
CREATE INDEX "review_mails_by_review" ON "review_mails" USING btree ("review_id");--> statement-breakpoint
CREATE INDEX "held_invitations_by_address" ON "held_invitations" USING btree ("address_hash","due_at");--> statement-breakpoint
CREATE INDEX "held_invitations_by_share" ON "held_invitations" USING btree ("share_id");--> statement-breakpoint
CREATE INDEX "held_invitations_by_team_invitation" ON "held_invitations" USING btree ("team_invitation_id");--> statement-breakpoint
CREATE INDEX "invitation_mails_to_address" ON "invitation_mails" USING btree ("address_hash","at");--> statement-breakpoint
CREATE INDEX "invitation_mails_by_age" ON "invitation_mails" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "shares_by_estimation" ON "shares" USING btree ("estimation_id","email");--> statement-breakpoint
CREATE UNIQUE INDEX "shares_by_team" ON "shares" USING btree ("team_id","estimation_id") WHERE "shares"."team_id" is not null;--> statement-breakpoint
CREATE INDEX "shares_of_team_in_order" ON "shares" USING btree ("team_id","id") WHERE "shares"."team_id" is not null;--> statement-breakpoint
CREATE INDEX "shares_in_order" ON "shares" USING btree ("estimation_id","id");--> statement-breakpoint
CREATE INDEX "shares_by_address" ON "shares" USING btree ("email","id");--> statement-breakpoint
CREATE UNIQUE INDEX "shares_by_person" ON "shares" USING btree ("estimation_id","user_id") WHERE "shares"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "shares_not_accepted" ON "shares" USING btree ("email","sent_at","estimation_id","id") WHERE "shares"."user_id" is null;--> statement-breakpoint
CREATE INDEX "model_responses_by_user" ON "model_responses" USING btree ("user_id","asked_at");--> statement-breakpoint
CREATE INDEX "model_responses_by_estimation" ON "model_responses" USING btree ("estimation_id");--> statement-breakpoint
CREATE INDEX "stored_evidence_by_estimation" ON "stored_evidence" USING gin ("estimation_ids");--> statement-breakpoint
CREATE INDEX "stored_evidence_by_time" ON "stored_evidence" USING btree ("stored_at");--> statement-breakpoint
CREATE INDEX "tasks_in_order" ON "tasks" USING btree ("estimation_id","position","id");--> statement-breakpoint
CREATE INDEX "tasks_finished" ON "tasks" USING btree ("estimation_id","done_at","id") WHERE done_at is not null and hours > 0 and actual_hours > 0;--> statement-breakpoint
CREATE UNIQUE INDEX "team_invitations_by_team" ON "team_invitations" USING btree ("team_id","email");--> statement-breakpoint
CREATE INDEX "team_invitations_in_order" ON "team_invitations" USING btree ("team_id","id");--> statement-breakpoint
CREATE INDEX "team_invitations_by_address" ON "team_invitations" USING btree ("email","id");--> statement-breakpoint
CREATE INDEX "team_members_by_user" ON "team_members" USING btree ("user_id","team_id");--> statement-breakpoint
CREATE INDEX "team_members_in_order" ON "team_members" USING btree ("team_id","joined_at","user_id");--> statement-breakpoint
CREATE INDEX "teams_ended" ON "teams" USING btree ("id") WHERE ended_at is not null;--> statement-breakpoint
CREATE INDEX "template_uses_latest" ON "template_uses" USING btree ("template_id","applied_at");--> statement-breakpoint
CREATE INDEX "template_uses_of_estimation" ON "template_uses" USING btree ("estimation_id");--> statement-breakpoint
CREATE INDEX "templates_of_owner" ON "templates" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "templates_by_name" ON "templates" USING gin (text_grams(name)) WITH (fastupdate=false) WHERE visibility = 'instance';--> statement-breakpoint
CREATE INDEX "templates_of_team_by_name" ON "templates" USING gin (text_grams(name)) WITH (fastupdate=false) WHERE visibility = 'team';--> statement-breakpoint
CREATE INDEX "templates_of_team" ON "templates" USING btree ("team_id","id") WHERE visibility = 'team';--> statement-breakpoint
CREATE INDEX "templates_of_instance" ON "templates" USING btree ("id") WHERE visibility = 'instance';--> statement-breakpoint
CREATE INDEX "thread_messages_by_thread" ON "thread_messages" USING btree ("estimation_id","thread_id","id");--> statement-breakpoint
CREATE INDEX "thread_messages_open" ON "thread_messages" USING btree ("estimation_id","thread_id","id") WHERE resolved_at is null;--> statement-breakpoint
CREATE INDEX "threads_by_estimation" ON "threads" USING btree ("estimation_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "threads_one_current" ON "threads" USING btree ("estimation_id") WHERE current;--> statement-breakpoint
CREATE INDEX "versions_by_thread" ON "versions" USING btree ("estimation_id",coalesce(thread_id, ''),"number");--> statement-breakpoint
CREATE INDEX "versions_by_content" ON "versions" USING btree ("estimation_id","content_hash");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_kind" ON "webhook_deliveries" USING btree ("webhook_id","event","status","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("webhook_id","due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_by_event" ON "webhook_deliveries" USING btree ("event_id","webhook_id") WHERE redelivery_of is null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_failed" ON "webhook_deliveries" USING btree ("webhook_id","completed_at","id") WHERE status = 'failed';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_original" ON "webhook_deliveries" USING btree ("original_id","id") WHERE original_id is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries" USING btree ("webhook_id") WHERE due_at is not null and caused_by_owner;--> statement-breakpoint
CREATE INDEX "webhook_former_secrets_by_webhook" ON "webhook_former_secrets" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_recoveries_by_webhook" ON "webhook_recoveries" USING btree ("webhook_id");--> statement-breakpoint
CREATE INDEX "webhooks_by_user" ON "webhooks" USING btree ("user_id","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "webhooks_deleted" ON "webhooks" USING btree ("id") WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX "webhooks_deleted_by_user" ON "webhooks" USING btree ("user_id") WHERE deleted_at is not null;
--> statement-breakpoint
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
