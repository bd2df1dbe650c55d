import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { AccountDetails } from "../../../../contract/endpoints/admin.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { IconMore } from "../../ui/icons.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SavedMark } from "../../ui/saved-mark.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { profileTexts } from "../profile/texts.ts";
import { asAdministrator } from "./recent-sign-in.ts";
import { adminTexts } from "./texts.ts";

const t = adminTexts.acts;

type Act = keyof typeof t.done;

/** What is typed for an act. */
interface Typed {
  readonly email?: string | undefined;
  readonly newOwner?: string | undefined;
}

/** No user has the address that was typed. */
class NoSuchUser extends Error {}

/** Returns the id of the user with an address. */
async function findUserId(address: string): Promise<string> {
  const email = address.trim().toLowerCase();
  const { data } = await api.listAccounts({ query: { q: email, limit: 100 } });
  const found = data.accounts.find((account) => account.email === email);
  if (!found) throw new NoSuchUser();
  return found.id;
}

async function carryOut(act: Act, id: string, { email = "", newOwner = "" }: Typed): Promise<unknown> {
  const params = { id };
  switch (act) {
    case "resetLink":
      return api.sendResetLink({ params });
    case "endSessions":
      return api.endAccountSessions({ params });
    case "disable":
      return api.disableAccount({ params });
    case "enable":
      return api.enableAccount({ params });
    case "handOver":
      return api.handOverEstimations({ params, body: { toUserId: await findUserId(newOwner) } });
    case "erase": {
      const to = newOwner.trim() === "" ? {} : { toUserId: await findUserId(newOwner) };
      return api.eraseAccount({ params, body: { email, ...to } });
    }
  }
}

/** What administrators do to an account. */
export function AccountActions({ account }: { readonly account: AccountDetails }) {
  const { id, name, disabledAt, isAdministrator } = account;
  const [asked, setAsked] = useState<Act | null>(null);
  const queries = useQueryClient();
  const request = useMutation({
    mutationFn: ({ act, ...typed }: Typed & { readonly act: Act }) => asAdministrator(() => carryOut(act, id, typed)),
    onSuccess: () => {
      setAsked(null);
      void queries.invalidateQueries({ queryKey: keys.administration });
    },
  });
  const ask = (act: Act) => {
    request.reset();
    setAsked(act);
  };
  const close = () => setAsked(null);
  const items: readonly Act[] = [
    "resetLink",
    "endSessions",
    "handOver",
    ...(disabledAt ? (["enable"] as const) : isAdministrator ? [] : (["disable"] as const)),
    ...(isAdministrator ? [] : (["erase"] as const)),
  ];
  return (
    <>
      <SavedMark isShown={request.isSuccess} text={request.isSuccess ? t.done[request.variables.act] : ""} />
      <Menu
        label={t.menu(name)}
        isBoxed
        button={
          <>
            <IconMore /> {t.actions}
          </>
        }
      >
        {items.map((act) => (
          <MenuItem key={act} onChoose={() => ask(act)}>
            {t[act]}
          </MenuItem>
        ))}
      </Menu>
      {(asked === "handOver" || asked === "erase") && (
        <TypedAct act={asked} account={account} request={request} onSubmit={request.mutate} onClose={close} />
      )}
      {asked !== null && asked !== "handOver" && asked !== "erase" && (
        <Confirm
          title={t[`${asked}Title`](name)}
          text={t[`${asked}Text`]}
          action={t[asked]}
          isDangerous={asked === "disable"}
          request={request}
          onConfirm={() => request.mutate({ act: asked })}
          onClose={close}
        />
      )}
    </>
  );
}

interface TypedActProps {
  readonly act: "handOver" | "erase";
  readonly account: AccountDetails;
  readonly request: { readonly isPending: boolean; readonly error: unknown };
  readonly onSubmit: (typed: Typed & { readonly act: Act }) => void;
  readonly onClose: () => void;
}

/** Asks who gets the estimations, and before erasing for the address of the account. */
function TypedAct({ act, account: { name }, request, onSubmit, onClose }: TypedActProps) {
  const { email, toUserId } = faultsByField(request.error);
  const ownerFault = request.error instanceof NoSuchUser ? t.noSuchUser : toUserId;
  const isErasing = act === "erase";
  const submit = (form: FormData) =>
    onSubmit({ act, email: String(form.get("email") ?? ""), newOwner: String(form.get("newOwner")) });
  return (
    <Dialog title={t[`${act}Title`](name)} onClose={onClose} isLocked={request.isPending}>
      <DialogForm onSubmit={submit}>
        <p className="muted">{t[`${act}Text`]}</p>
        {request.error !== null && !email && !ownerFault && <Notice kind="bad">{failureText(request.error)}</Notice>}
        {isErasing && (
          <TextInput
            label={t.confirmEmail}
            name="email"
            type="email"
            autoComplete="off"
            required
            error={email}
            autoFocus
          />
        )}
        <TextInput
          label={isErasing ? profileTexts.optional(t.newOwner) : t.newOwner}
          description={t.newOwnerHint}
          name="newOwner"
          type="email"
          autoComplete="off"
          required={!isErasing}
          error={ownerFault}
          autoFocus={!isErasing}
        />
        <DialogEnd>
          <Button variant="default" onClick={onClose} disabled={request.isPending}>
            {uiTexts.cancel}
          </Button>
          <Button type="submit" loading={request.isPending} color="red.9">
            {t[act]}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}
