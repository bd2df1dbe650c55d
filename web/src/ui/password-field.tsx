import { TextInput, type TextInputProps } from "@mantine/core";
import { useState } from "react";
import styles from "./password-field.module.css";
import { uiTexts } from "./texts.ts";

/** A field for a secret, which shows it on request. */
export function PasswordField(field: TextInputProps) {
  const [isShown, setShown] = useState(false);
  return (
    <TextInput
      {...field}
      type={isShown ? "text" : "password"}
      rightSection={
        <button
          type="button"
          className={styles.toggle}
          aria-label={uiTexts.showTyped}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <svg
            width={16}
            height={16}
            viewBox="0 0 16 16"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            aria-hidden
          >
            <path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8Z" />
            <circle cx={8} cy={8} r={2} />
            {isShown && <path d="m3 13 10-10" />}
          </svg>
        </button>
      }
    />
  );
}
