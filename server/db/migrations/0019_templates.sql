CREATE TABLE "templates" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"visibility" text NOT NULL,
	"tree" json NOT NULL,
	"bytes" integer NOT NULL,
	"nodes" integer NOT NULL,
	"options" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "templates" ADD CONSTRAINT "templates_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "templates_of_owner" ON "templates" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "templates_of_instance" ON "templates" USING btree ("id") WHERE visibility = 'instance';