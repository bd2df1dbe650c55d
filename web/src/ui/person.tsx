import type { CSSProperties, ReactNode } from "react";
import { hueOf, initialsOf } from "./initials.ts";
import styles from "./person.module.css";

interface PersonProps {
  readonly name: string;
  /** What stands beside the initials, such as a link; by default the name. */
  readonly children?: ReactNode;
}

/** A person: initials in a colour of the name, and the name. */
export const Person = ({ name, children = name }: PersonProps) => (
  <span className={styles.person}>
    <span
      className={styles.initials}
      style={{ "--hue": hueOf(name) } as CSSProperties}
      data-initials={initialsOf(name)}
      aria-hidden="true"
    />
    <span>{children}</span>
  </span>
);
