import { formatAgo, formatMoment } from "./format.ts";

/** When something was or will be, relative to now; the exact time shows on hover. */
export const Ago = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={formatMoment(at)}>
    {formatAgo(at)}
  </time>
);
