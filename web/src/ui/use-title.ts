import { useEffect } from "react";
import { texts } from "../texts.ts";

/** Names the page in the browser's tab. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · ${texts.product}` : texts.product;
  }, [title]);
}
