import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { IconPlus } from "../../ui/icons.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Message } from "../../ui/message.tsx";
import { Notice } from "../../ui/notice.tsx";
import { estimationTexts } from "./texts.ts";

const t = estimationTexts.estimations;

/** What shows while there is no estimation: how to begin. */
export function EmptyList() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  usePastedOutline();
  const add = useMutation({
    mutationFn: async (_: { readonly isOpened: boolean }) => (await api.createExamples({})).data.estimations,
    onSuccess: async (made, { isOpened }) => {
      const draft = made.findLast(({ status }) => status === "draft");
      if (isOpened && draft) await navigate({ to: "/estimations/$id", params: { id: draft.id }, hash: "tour" });
      await queries.invalidateQueries({ queryKey: keys.estimations });
    },
  });
  const isOpening = add.isPending && add.variables.isOpened;
  return (
    <>
      {add.error && <Notice kind="bad">{failureText(add.error)}</Notice>}
      <Message title={t.emptyTitle} text={`${t.empty} ${t.emptyPaste}`}>
        <LinkButton to="/estimations/new" leftSection={<IconPlus />}>
          {t.emptyAction}
        </LinkButton>
        <Button variant="default" loading={isOpening} onClick={() => add.mutate({ isOpened: true })}>
          {t.tryExample}
        </Button>
        <Button variant="default" loading={add.isPending && !isOpening} onClick={() => add.mutate({ isOpened: false })}>
          {t.addExamples}
        </Button>
      </Message>
    </>
  );
}

/** What is pasted outside of a field is shown as what it would be imported as. */
function usePastedOutline(): void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      const isInField = event.target instanceof Element && event.target.matches("input, textarea");
      if (isInField || text.trim() === "" || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      queries.setQueryData(keys.pastedOutline, text);
      void navigate({ to: "/estimations/new", search: { way: "import" } });
    };
    addEventListener("paste", paste);
    return () => removeEventListener("paste", paste);
  }, [queries, navigate]);
}
