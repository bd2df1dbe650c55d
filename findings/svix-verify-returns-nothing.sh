#!/usr/bin/env bash
# svix 2.5.0: `new Webhook(secret).verify(body, headers)` returns undefined for a body with a right signature, where 1.99.1 and
# standardwebhooks 1.1.1, on which it is built, return the parsed body. A receiver that goes on with the returned value, as
# examples on the web do, has no event after the upgrade, and no error says so: a wrong signature throws as before.
#
# Seen:
#   standardwebhooks 1.1.1: {"type":"user.created"}
#   svix 1.99.1:            {"type":"user.created"}
#   svix 2.5.0:             undefined
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund standardwebhooks@1.1.1 svix-1@npm:svix@1.99.1 svix-2@npm:svix@2.5.0
cat >seen.mjs <<'JS'
import assert from "node:assert/strict";
import * as standard from "standardwebhooks";
import * as one from "svix-1";
import * as two from "svix-2";
const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const body = JSON.stringify({ type: "user.created" });
const at = new Date();
const headers = {
  "webhook-id": "msg_1",
  "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
  "webhook-signature": new standard.Webhook(secret).sign("msg_1", at, body),
};
const returned = [standard, one, two].map(({ Webhook }) => new Webhook(secret).verify(body, headers));
console.log(returned);
assert.deepEqual(returned, [{ type: "user.created" }, { type: "user.created" }, undefined]);
JS
node seen.mjs
