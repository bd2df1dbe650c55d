import { useSession } from "../../api/session.ts";
import { UnknownPage } from "../../app/failure-pages.tsx";
import { SideLayout } from "../profile/side-layout.tsx";
import { SignInAgain } from "./sign-in-again.tsx";
import { adminTexts } from "./texts.ts";

const { pages, label, menu } = adminTexts;

/** The frame of the pages for whoever runs the instance. To others they do not exist. */
export function AdminLayout() {
  if (!useSession()?.isAdministrator) return <UnknownPage />;
  return (
    <>
      <SideLayout label={label} menu={menu} pages={pages} />
      <SignInAgain />
    </>
  );
}
