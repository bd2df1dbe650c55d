export { clientLinkMails } from "./mails.ts";
