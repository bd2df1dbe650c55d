import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { localMinute } from "../../ui/numbers/format.ts";
import { uiTexts } from "../../ui/texts.ts";
import { deliveryTexts } from "./texts.ts";

const t = deliveryTexts;
const DAY_MS = 86_400_000;

interface RedeliverFailedProps {
  readonly webhookId: string;
  readonly onClose: () => void;
}

/** Asks since when, orders that everything that failed is sent again, and says how much that is. */
export function RedeliverFailed({ webhookId, onClose }: RedeliverFailedProps) {
  const queries = useQueryClient();
  const order = useMutation({
    mutationFn: async (since: string) =>
      (await api.redeliverFailed({ params: { id: webhookId }, body: { since } })).data.count,
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.deliveries(webhookId) }),
  });
  const faults = faultsByField(order.error);
  return (
    <Dialog title={t.redeliverFailedTitle} onClose={onClose}>
      <DialogForm onSubmit={(form) => order.mutate(new Date(String(form.get("since"))).toISOString())}>
        <p className="muted">{t.redeliverFailedText}</p>
        <TextInput
          label={t.since}
          name="since"
          type="datetime-local"
          defaultValue={localMinute(Date.now() - DAY_MS)}
          max={localMinute(Date.now())}
          required
          error={faults.since}
          autoFocus
        />
        {order.isError && !faults.since && <Notice kind="bad">{failureText(order.error)}</Notice>}
        {order.isSuccess && <Notice kind={order.data === 0 ? "info" : "good"}>{t.ordered(order.data)}</Notice>}
        <DialogEnd>
          <Button variant="default" onClick={onClose}>
            {order.isSuccess ? uiTexts.close : uiTexts.cancel}
          </Button>
          {!order.isSuccess && (
            <Button type="submit" loading={order.isPending}>
              {t.redeliverFailedAction}
            </Button>
          )}
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}
