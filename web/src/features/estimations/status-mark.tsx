import type { EstimationStatus } from "../../../../contract/values/statuses.ts";
import styles from "./status-mark.module.css";
import { estimationTexts } from "./texts.ts";

export const StatusMark = ({ status }: { readonly status: EstimationStatus }) => (
  <span className={`${styles.status} ${styles[status]}`}>{estimationTexts.estimations.statuses[status]}</span>
);
