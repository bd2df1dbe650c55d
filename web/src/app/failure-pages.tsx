import { Button } from "@mantine/core";
import { LinkButton } from "../ui/link-button.tsx";
import { Message } from "../ui/message.tsx";
import { uiTexts } from "../ui/texts.ts";
import { appTexts } from "./texts.ts";

/** A page whose code failed. */
export const BrokenPage = () => (
  <main>
    <Message title={appTexts.broken.title} text={appTexts.broken.text}>
      <Button onClick={() => location.reload()}>{appTexts.broken.action}</Button>
    </Message>
  </main>
);

export const UnknownPage = () => (
  <main>
    <Message title={appTexts.unknown.title} text={appTexts.unknown.text}>
      <LinkButton to="/estimations">{uiTexts.backToList}</LinkButton>
    </Message>
  </main>
);
