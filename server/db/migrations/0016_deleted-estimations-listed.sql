-- Estimations that were deleted before their owners could list them.
INSERT INTO "estimation_listings" ("estimation_id", "user_id", "tag", "status", "level", "updated_at", "created_at")
SELECT e."id", r."user_id", '', 'deleted', r."level", e."updated_at", e."created_at"
FROM "estimations" e JOIN "estimation_readers" r ON r."estimation_id" = e."id" AND r."owns"
WHERE e."deleted_at" IS NOT NULL;
