import type { EstimationStatus } from "../../../contract/statuses.ts";
import { texts } from "../texts.ts";
import styles from "./status-mark.module.css";

export const StatusMark = ({ status }: { readonly status: EstimationStatus }) => (
  <span className={`${styles.status} ${styles[status]}`}>{texts.estimations.statuses[status]}</span>
);
