import { Button } from "@mantine/core";
import { uiTexts } from "../texts.ts";
import styles from "./more-rows.module.css";

interface MoreRowsProps {
  /** The number of rows, with what they are. */
  readonly counted: string;
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** The end of a list: how many rows show, and a button for more. */
export const MoreRows = ({ counted, list }: MoreRowsProps) => (
  <div className={styles.foot}>
    <span className="muted" aria-live="polite">
      {list.hasNextPage ? uiTexts.shown(counted) : counted}
    </span>
    {list.hasNextPage && (
      <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {uiTexts.more}
      </Button>
    )}
  </div>
);
