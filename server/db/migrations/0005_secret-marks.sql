CREATE TABLE "secret_marks" (
	"name" text PRIMARY KEY NOT NULL,
	"mark" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
