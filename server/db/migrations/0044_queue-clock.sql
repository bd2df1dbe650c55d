CREATE TABLE "queue_clock" (
	"id" integer PRIMARY KEY NOT NULL,
	"latest" timestamp (3) with time zone NOT NULL
);
