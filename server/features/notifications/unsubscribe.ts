import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RateLimit } from "../../http/callers/rate-limit.ts";
import type { MailSettings } from "../../jobs/mail.ts";
import type { Services } from "../../services/index.ts";
import { findUserByEmail } from "../auth/index.ts";
import { hashOf, listRefused, refuseMails } from "./store.ts";
import { createUnsubscribeTokens } from "./unsubscribe-tokens.ts";

const style =
  "body{margin:0;padding:2rem 1rem;font:16px/1.5 system-ui,sans-serif}main{max-width:32rem;margin:0 auto}button{font:inherit;padding:.6rem 1.2rem}";
const styleHash = createHash("sha256").update(style).digest("base64");

/** The policy of the pages: the form may be sent to this service only, and nothing is loaded. */
const pagePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`;

const page = (title: string, body: string): string =>
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>
<body><main><h1>${title}</h1>
${body}
</main></body></html>
`;

/** Asks before anything is done, because programs that look for bad links open every link of a mail. */
const confirmationPage = page(
  "Unsubscribe",
  `<p>Stop mails of the kind that contained this link. You will still get mails of other kinds, and about your account.</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Unsubscribe</button></form>`,
);

/** The same for every token: nobody learns from it whether one is valid. */
const donePage = page(
  "Unsubscribed",
  "<p>If the link was complete, no more mails of this kind are sent to your address. In your account, under notifications, you can turn them on again.</p>",
);

const UNSUBSCRIBE_PATH = "/unsubscribe";

/** What the worker needs to know before it sends a mail that can be turned off. */
export function mailSettings({ config, pool, linkKeys }: Services): MailSettings {
  const tokens = createUnsubscribeTokens(linkKeys.unsubscribe);
  return {
    async isWanted(address, setting) {
      // Nobody can sign in to do what the mail is about.
      if ((await findUserByEmail(pool, address))?.disabledAt) return false;
      return !(await listRefused(pool, hashOf(address))).includes(setting);
    },
    unsubscribeUrl: (address, setting) => `${config.baseUrl}${UNSUBSCRIBE_PATH}?token=${tokens.make(address, setting)}`,
  };
}

/** A mail program sends 26 bytes, a browser some more. */
const BODY_BYTES = 4_096;

/**
 * `GET /unsubscribe?token=…` shows a page that asks, and changes nothing. `POST` turns one kind of mail off for one
 * address, without signing in (RFC 8058): mail programs send it at one click, and so does the page. Both return the
 * same for every token. They are not part of the API, because mail programs post forms.
 */
export function mountUnsubscribe(app: FastifyInstance, services: Services, rateLimit: RateLimit): void {
  const { pool, clock, linkKeys } = services;
  const tokens = createUnsubscribeTokens(linkKeys.unsubscribe);
  const counted = {
    onRequest: (request: FastifyRequest, reply: FastifyReply) => rateLimit.count(request, reply, null),
  };
  const show = (reply: FastifyReply, page: string) =>
    reply
      .header("content-security-policy", pagePolicy)
      .header("cache-control", "no-store")
      .type("text/html; charset=utf-8")
      .send(page);
  app.register(async (scope) => {
    // The body says only that it was one click. It may have any media type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: BODY_BYTES }, (_, __, done) => done(null));
    scope.get(UNSUBSCRIBE_PATH, counted, (_, reply) => show(reply, confirmationPage));
    scope.post(UNSUBSCRIBE_PATH, counted, async (request, reply) => {
      const { token } = request.query as { readonly token?: unknown };
      const read = typeof token === "string" ? tokens.read(token) : null;
      if (read) await refuseMails(pool, read.addressHash, [read.setting], clock.now());
      return show(reply, donePage);
    });
  });
}
