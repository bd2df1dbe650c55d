import { ApiError } from "../../../../contract/client/client-of.ts";
import { failureText } from "../../api/failure.ts";
import { Notice } from "../../ui/notice.tsx";
import { versionTexts as t } from "./texts.ts";

/** Why a request was refused; where somebody else has changed something, the page shows what there is now. */
export function Refusal({ error }: { readonly error: unknown }) {
  if (error === null) return null;
  const isStale = error instanceof ApiError && (error.status === 409 || error.status === 412);
  const text = (isStale ? t.refusals[error.body.message] : undefined) ?? failureText(error);
  return <Notice kind="bad">{isStale ? `${text} ${t.anew}` : text}</Notice>;
}
