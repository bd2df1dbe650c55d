import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { Notice } from "../../ui/notice.tsx";
import { estimationTexts } from "./texts.ts";

const t = estimationTexts.estimations;

/** Adds the examples to a list that is still empty, and why it could not. */
export function useAddExamples() {
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () => api.createExamples({}),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["estimations"] }),
  });
  const button = (
    <Button variant="default" loading={add.isPending} onClick={() => add.mutate()}>
      {t.addExamples}
    </Button>
  );
  return { button, notice: add.error && <Notice kind="bad">{failureText(add.error)}</Notice> };
}
