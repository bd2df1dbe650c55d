import fc from "fast-check";

/** Pieces of Markdown, and what breaks readers of it, in any order. */
const piece = fc.constantFrom(
  ...[
    "# ",
    "## ",
    "- ",
    "* ",
    "1. ",
    "3) ",
    "> ",
    "    ",
    "\t",
    "\n",
    "\n\n",
    "```",
    "```ts\n",
    "`",
    "**",
    "__",
    "*",
    "_",
  ],
  ...[
    "~~",
    "[",
    "](",
    ")",
    "![",
    "https://acme.example/a",
    "javascript:alert(1)",
    "<b>",
    "<br>",
    "</b>",
    "<!-- x -->",
    "---\n",
  ],
  ...["| a | b |\n|---|---|\n| 1 | 2 |\n", "- [x] ", "@anna", "SHOP-1", "&amp;", "&lt;", "\\", "a", "bc d", "é", "😀"],
  ...["\u0000", "\ud800", "\r\n", "[ref]: https://acme.example\n", "<https://acme.example>", "  \n"],
);
/** Any text of these. */
export const markdown = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
