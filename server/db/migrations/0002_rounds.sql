CREATE TABLE "adopted_hours" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "adopted_hours_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"estimation_id" text NOT NULL,
	"option_id" text NOT NULL,
	"round_id" text NOT NULL,
	"from" text NOT NULL,
	"hours" json NOT NULL,
	"people" integer NOT NULL,
	"agreement" double precision,
	"user_id" text NOT NULL,
	"adopted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "round_estimates" (
	"id" text PRIMARY KEY NOT NULL,
	"round_id" text NOT NULL,
	"option_id" text NOT NULL,
	"place" integer NOT NULL,
	"user_id" text,
	"optimistic" double precision NOT NULL,
	"likely" double precision NOT NULL,
	"pessimistic" double precision NOT NULL,
	"note" text,
	"is_outlier" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "round_options" (
	"round_id" text NOT NULL,
	"position" integer NOT NULL,
	"option_id" text NOT NULL,
	"label" json NOT NULL,
	"weight" double precision NOT NULL,
	"summary" json,
	CONSTRAINT "round_options_round_id_option_id_pk" PRIMARY KEY("round_id","option_id")
);
--> statement-breakpoint
CREATE TABLE "round_participants" (
	"round_id" text NOT NULL,
	"position" integer NOT NULL,
	"user_id" text,
	"email" text,
	"answers" json,
	"waits" boolean NOT NULL,
	"is_mailed" boolean DEFAULT false NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "round_participants_round_id_position_pk" PRIMARY KEY("round_id","position")
);
--> statement-breakpoint
CREATE TABLE "rounds" (
	"id" text PRIMARY KEY NOT NULL,
	"estimation_id" text NOT NULL,
	"number" integer NOT NULL,
	"title" text,
	"status" text NOT NULL,
	"anonymous" boolean NOT NULL,
	"deadline" timestamp (3) with time zone,
	"version_id" text NOT NULL,
	"repeats_id" text,
	"opener_id" text NOT NULL,
	"answered" integer DEFAULT 0 NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"revealed_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	"reminded_at" timestamp (3) with time zone,
	"look_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "adopted_hours" ADD CONSTRAINT "adopted_hours_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adopted_hours" ADD CONSTRAINT "adopted_hours_round_id_rounds_id_fk" FOREIGN KEY ("round_id") REFERENCES "public"."rounds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adopted_hours" ADD CONSTRAINT "adopted_hours_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "round_estimates" ADD CONSTRAINT "round_estimates_round_id_rounds_id_fk" FOREIGN KEY ("round_id") REFERENCES "public"."rounds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "round_estimates" ADD CONSTRAINT "round_estimates_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "round_options" ADD CONSTRAINT "round_options_round_id_rounds_id_fk" FOREIGN KEY ("round_id") REFERENCES "public"."rounds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "round_participants" ADD CONSTRAINT "round_participants_round_id_rounds_id_fk" FOREIGN KEY ("round_id") REFERENCES "public"."rounds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "round_participants" ADD CONSTRAINT "round_participants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rounds" ADD CONSTRAINT "rounds_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rounds" ADD CONSTRAINT "rounds_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rounds" ADD CONSTRAINT "rounds_repeats_id_rounds_id_fk" FOREIGN KEY ("repeats_id") REFERENCES "public"."rounds"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rounds" ADD CONSTRAINT "rounds_opener_id_users_id_fk" FOREIGN KEY ("opener_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "adopted_hours_of_option" ON "adopted_hours" USING btree ("estimation_id","option_id","id");--> statement-breakpoint
CREATE INDEX "adopted_hours_by_round" ON "adopted_hours" USING btree ("round_id");--> statement-breakpoint
CREATE UNIQUE INDEX "round_estimates_in_order" ON "round_estimates" USING btree ("round_id","option_id","place");--> statement-breakpoint
CREATE INDEX "round_estimates_by_user" ON "round_estimates" USING btree ("user_id","id") WHERE "round_estimates"."user_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "round_options_in_order" ON "round_options" USING btree ("round_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "round_participants_by_user" ON "round_participants" USING btree ("round_id","user_id") WHERE "round_participants"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "round_participants_waiting" ON "round_participants" USING btree ("user_id","round_id") WHERE waits and user_id is not null;--> statement-breakpoint
CREATE INDEX "round_participants_invited" ON "round_participants" USING btree ("email","asked_at") WHERE "round_participants"."email" is not null;--> statement-breakpoint
CREATE INDEX "round_participants_asked" ON "round_participants" USING btree ("user_id","asked_at");--> statement-breakpoint
CREATE UNIQUE INDEX "rounds_of_estimation" ON "rounds" USING btree ("estimation_id","number");--> statement-breakpoint
CREATE INDEX "rounds_by_version" ON "rounds" USING btree ("version_id");--> statement-breakpoint
CREATE INDEX "rounds_by_repeated" ON "rounds" USING btree ("repeats_id");--> statement-breakpoint
CREATE INDEX "rounds_to_look_at" ON "rounds" USING btree ("look_at") WHERE status = 'open';--> statement-breakpoint
CREATE INDEX "rounds_to_remind" ON "rounds" USING btree ("deadline") WHERE status = 'open' and reminded_at is null and deadline is not null;