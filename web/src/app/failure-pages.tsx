import { Button } from "@mantine/core";
import { texts } from "../texts.ts";
import { LinkButton } from "../ui/link-button.tsx";
import { Message } from "../ui/message.tsx";

/** A page whose code failed. */
export const BrokenPage = () => (
  <main>
    <Message title={texts.broken.title} text={texts.broken.text}>
      <Button onClick={() => location.reload()}>{texts.broken.action}</Button>
    </Message>
  </main>
);

export const UnknownPage = () => (
  <main>
    <Message title={texts.unknown.title} text={texts.unknown.text}>
      <LinkButton to="/estimations">{texts.backToList}</LinkButton>
    </Message>
  </main>
);
