import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Estimation } from "../../../../contract/estimations.ts";
import { texts } from "../../texts.ts";
import { StatusMark } from "../../ui/status-mark.tsx";
import styles from "./tree-page.module.css";

interface TreeHeadProps {
  readonly estimation: Estimation;
  /** What stands beside the title, such as whether it is saved. */
  readonly children?: ReactNode;
}

export const TreeHead = ({ estimation: { title, status, clientName }, children }: TreeHeadProps) => (
  <div className={styles.head}>
    <p className={styles.crumb}>
      <Link to="/estimations">{texts.estimations.title}</Link>
    </p>
    <h1>{title}</h1>
    <StatusMark status={status} />
    {clientName && <span className="muted">{clientName}</span>}
    {children}
  </div>
);
