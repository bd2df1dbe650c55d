import { createHash } from "node:crypto";

const style =
  "body{margin:0;padding:2rem 1rem;font:16px/1.5 system-ui,sans-serif}main{max-width:32rem;margin:0 auto}button{font:inherit;padding:.6rem 1.2rem}";
const styleHash = createHash("sha256").update(style).digest("base64");

/** The policy of the pages: the form may be sent to this service only, and nothing is loaded. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`;

const page = (title: string, body: string): string =>
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>
<body><main><h1>${title}</h1>
${body}
</main></body></html>
`;

/** Asks before anything is done, because programs that look for bad links open every link of a mail. */
export const confirmationPage = page(
  "Unsubscribe",
  `<p>Stop mails of the kind that contained this link. You will still get mails of other kinds, and about your account.</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Unsubscribe</button></form>`,
);

/** The same for every token: nobody learns from it whether one is valid. */
export const donePage = page(
  "Unsubscribed",
  "<p>If the link was complete, no more mails of this kind are sent to your address. In your account, under notifications, you can turn them on again.</p>",
);
