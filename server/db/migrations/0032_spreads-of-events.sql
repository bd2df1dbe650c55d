CREATE TABLE "webhook_spreads" (
	"sender_id" text NOT NULL,
	"event_id" bigint NOT NULL,
	"part" integer NOT NULL,
	"user_ids" text[] NOT NULL,
	"done_to" text DEFAULT '' NOT NULL,
	CONSTRAINT "webhook_spreads_sender_id_event_id_part_pk" PRIMARY KEY("sender_id","event_id","part")
);
