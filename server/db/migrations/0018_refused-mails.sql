CREATE TABLE "refused_mails" (
	"address_hash" "bytea" NOT NULL,
	"setting" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "refused_mails_address_hash_setting_pk" PRIMARY KEY("address_hash","setting")
);
