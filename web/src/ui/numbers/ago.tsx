import { uiTexts } from "../texts.ts";
import { formatAgo, formatMoment } from "./format.ts";

/** When something was or will be, relative to now; the exact time shows on hover. */
export const Ago = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={formatMoment(at)}>
    {formatAgo(at)}
  </time>
);

/** When something will happen; once the time has come, it is due. */
export const Due = ({ at }: { readonly at: string }) =>
  Date.parse(at) <= Date.now() ? (
    <time dateTime={at} title={formatMoment(at)}>
      {uiTexts.dueNow}
    </time>
  ) : (
    <Ago at={at} />
  );
