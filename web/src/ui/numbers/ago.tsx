import { described, hinted } from "../hinted.ts";
import { uiTexts } from "../texts.ts";
import { formatAgo, formatMoment } from "./format.ts";

interface AgoProps {
  readonly at: string;
  /** Whether the keyboard stops here: where it does not lie in a control, and none is in its row of a table. */
  readonly isStop?: boolean;
}

/** When something was or will be, relative to now; the exact time is its hint. */
export const Ago = ({ at, isStop = false }: AgoProps) => (
  <time dateTime={at} {...(isStop ? hinted : described)(formatMoment(at))}>
    {formatAgo(at)}
  </time>
);

/** When something will happen, outside of tables; once the time has come, it is due. */
export const Due = ({ at }: { readonly at: string }) =>
  Date.parse(at) <= Date.now() ? (
    <time dateTime={at} {...hinted(formatMoment(at))}>
      {uiTexts.dueNow}
    </time>
  ) : (
    <Ago at={at} isStop />
  );
