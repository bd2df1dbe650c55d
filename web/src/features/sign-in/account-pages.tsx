import { Outlet } from "@tanstack/react-router";
import { uiTexts } from "../../ui/texts.ts";
import styles from "./account-pages.module.css";

/** The frame of pages for those who are not signed in. */
export const AccountPages = () => (
  <main className={styles.main}>
    <div className={styles.card}>
      <div className={styles.brand}>
        <img src="/icon.svg" alt="" width={28} height={28} />
        <span>{uiTexts.product}</span>
      </div>
      <Outlet />
    </div>
  </main>
);
