#!/usr/bin/env bash
# marked 18.2.1, tokens of the lexer: a reference to a character by number is replaced by the character, one by name is left as
# it was written; both are the same to CommonMark (section 6.2). The number 38 becomes the name `&amp;`. So the `text` of a token is
# neither what was written nor what is shown: a program that makes another format of the tokens still has to decode all names of
# HTML 5, and one that takes `text` as it is shows "© &copy;".
#
# Seen:
#   "&#169; &copy;" -> "© &copy;"
#   "&#38;"         -> "&amp;"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund marked@18.2.1
cat >seen.mjs <<'JS'
import assert from "node:assert/strict";
import { Lexer } from "marked";
const textOf = (markdown) => new Lexer().lex(markdown)[0].tokens.map(({ text }) => text).join("");
const seen = [textOf("&#169; &copy;"), textOf("&#38;")];
console.log(seen);
assert.deepEqual(seen, ["© &copy;", "&amp;"]);
JS
node seen.mjs
