import { Button } from "@mantine/core";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { LinkButton } from "../ui/link-button.tsx";
import { Message } from "../ui/message.tsx";
import { reloadAfterUpgrade } from "../ui/reload-after-upgrade.ts";
import { uiTexts } from "../ui/texts.ts";
import { useTitle } from "../ui/use-title.ts";
import { appTexts } from "./texts.ts";

/** A page cannot be loaded without a connection. */
export class Offline extends Error {}

/** The files of a page are gone, as after an upgrade. The router itself would reload, whatever is not saved yet. */
export class Gone extends Error {}

/** A page whose code failed, or could not be loaded, in the frame of the application. */
export function BrokenPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  const isOffline = error instanceof Offline;
  const title = isOffline ? uiTexts.failed : appTexts.broken.title;
  // Where reloading is the answer, nothing has gone wrong for whoever looks.
  const [mayReload, setMayReload] = useState(error instanceof Gone);
  useTitle(mayReload ? undefined : title);
  useEffect(() => {
    if (error instanceof Gone) void reloadAfterUpgrade(error.cause).then(setMayReload);
  }, [error]);
  if (mayReload) return null;
  return (
    <Message title={title} text={isOffline ? appTexts.broken.offline : appTexts.broken.text}>
      {isOffline ? (
        <Button onClick={() => void router.invalidate()}>{uiTexts.retry}</Button>
      ) : (
        <Button onClick={() => location.reload()}>{uiTexts.reload}</Button>
      )}
    </Message>
  );
}

/** The same where not even the frame is there. */
export const BrokenApplication = (props: ErrorComponentProps) => (
  <main>
    <BrokenPage {...props} />
  </main>
);

export function UnknownPage() {
  useTitle(appTexts.unknown.title);
  return (
    <main>
      <Message title={appTexts.unknown.title} text={appTexts.unknown.text}>
        <LinkButton to="/estimations">{uiTexts.backToList}</LinkButton>
      </Message>
    </main>
  );
}
