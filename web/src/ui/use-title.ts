import { useEffect } from "react";
import { uiTexts } from "./texts.ts";

/** Names the page in the browser's tab, and on paper. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.documentElement.style.setProperty("--page-title", JSON.stringify(title ?? ""));
    document.title = title ? `${title} · ${uiTexts.product}` : uiTexts.product;
  }, [title]);
}
