import { Button } from "@mantine/core";
import { texts } from "../texts.ts";
import { formatCount } from "./format.ts";
import styles from "./more-rows.module.css";

interface MoreRowsProps {
  /** Rows that show. */
  readonly count: number;
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** The end of a list: how many rows show, and a button for more. */
export const MoreRows = ({ count, list }: MoreRowsProps) => (
  <div className={styles.foot}>
    <span className="muted" aria-live="polite">
      {texts.estimations.count(formatCount(count))}
    </span>
    {list.hasNextPage && (
      <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {texts.estimations.more}
      </Button>
    )}
  </div>
);
