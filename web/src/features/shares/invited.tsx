import { facts } from "../../api/facts.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { shareTexts } from "./texts.ts";

interface InvitedProps {
  readonly email: string;
  /** Where the link leads that a mail would have. */
  readonly path: string;
  /** What is said where the mail is sent. */
  readonly sent: string;
}

/** Says that somebody was invited: by mail, or that no mail is sent and the reader has to pass the link on. */
export const InvitedNotice = ({ email, path, sent }: InvitedProps) =>
  facts.mails ? (
    <Notice kind="info">{sent}</Notice>
  ) : (
    <Notice kind="warn" action={<CopyButton text={location.origin + path} label={shareTexts.copyLink} />}>
      {shareTexts.notMailed(email)}
    </Notice>
  );

/** What the button that invites says. */
export const inviteAction = facts.mails ? shareTexts.sendInvitation : shareTexts.inviteOnly;

/** Where an invitation to an estimation is accepted. */
export const acceptPath = (shareId: string) => `/shared?accept=${shareId}`;
