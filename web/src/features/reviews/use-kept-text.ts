import { useCallback, useState } from "react";
import { keepText, keptText } from "../../api/kept-texts.ts";
import { useSession } from "../../api/session.ts";

/** A text of the signed-in user that survives a reload of this tab, until it is sent. */
export function useKeptText(name: string): readonly [text: string, setText: (text: string) => void] {
  const userId = useSession()?.userId ?? "";
  const [shown, setShown] = useState(() => ({ userId, name, text: keptText(userId, name) }));
  const isShown = shown.userId === userId && shown.name === name;
  const setText = useCallback(
    (text: string) => {
      setShown({ userId, name, text });
      keepText(userId, name, text);
    },
    [userId, name],
  );
  return [isShown ? shown.text : keptText(userId, name), setText];
}
