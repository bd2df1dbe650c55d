ALTER TABLE "text_usage" DROP CONSTRAINT "text_usage_estimation_id_estimations_id_fk";
--> statement-breakpoint
ALTER TABLE "text_usage" ADD CONSTRAINT "text_usage_estimation_id_estimations_id_fk" FOREIGN KEY ("estimation_id") REFERENCES "public"."estimations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- The steps of an estimation's texts follow its owner, also where a process transfers it that does not count texts yet. The rows of
-- both owners are locked in the order of their ids, to avoid deadlocks between two transfers.
CREATE FUNCTION "move_text_steps"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved bigint := (SELECT bytes / 65536 FROM text_usage WHERE estimation_id = NEW.id);
BEGIN
  IF moved > 0 THEN
    INSERT INTO estimation_usage AS u (owner_id, estimations, tree_steps, text_steps)
      SELECT c.owner_id, 0, 0, c.steps FROM (VALUES (OLD.owner_id, -moved), (NEW.owner_id, moved)) AS c (owner_id, steps)
      ORDER BY c.owner_id
      ON CONFLICT (owner_id) DO UPDATE SET text_steps = u.text_steps + excluded.text_steps;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "move_text_steps" AFTER UPDATE OF "owner_id" ON "estimations"
  FOR EACH ROW WHEN (OLD.owner_id <> NEW.owner_id) EXECUTE FUNCTION "move_text_steps"();
