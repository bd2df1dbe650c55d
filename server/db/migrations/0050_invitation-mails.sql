CREATE TABLE "held_invitations" (
	"share_id" text PRIMARY KEY NOT NULL,
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
ALTER TABLE "held_invitations" ADD CONSTRAINT "held_invitations_share_id_shares_id_fk" FOREIGN KEY ("share_id") REFERENCES "public"."shares"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_mails" ADD CONSTRAINT "invitation_mails_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "held_invitations_by_address" ON "held_invitations" USING btree ("address_hash","due_at");--> statement-breakpoint
CREATE INDEX "invitation_mails_to_address" ON "invitation_mails" USING btree ("address_hash","at");--> statement-breakpoint
CREATE INDEX "invitation_mails_by_age" ON "invitation_mails" USING btree ("at");