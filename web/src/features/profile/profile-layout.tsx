import { SideLayout } from "./side-layout.tsx";
import { profileTexts } from "./texts.ts";

const { pages, label, menu } = profileTexts;

/** The frame of the pages about the reader's own account. */
export const ProfileLayout = () => <SideLayout label={label} menu={menu} pages={pages} />;
