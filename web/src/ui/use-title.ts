import { useEffect } from "react";
import { uiTexts } from "./texts.ts";

/** Names the page in the browser's tab. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · ${uiTexts.product}` : uiTexts.product;
  }, [title]);
}
