/** The only style sheet of the docs page; the page's content security policy contains its hash. */
export const docsStyle = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --paper: #fff; --panel: #f6f8fa; --accent: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9da7b3; --line: #30363d; --paper: #0d1117; --panel: #161b22; --accent: #7cb3ff; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.layout { display: grid; grid-template: "nav header" auto "nav main" 1fr / 15rem minmax(0, 1fr); column-gap: 2.5rem; max-width: 78rem; margin: 0 auto; padding: 0 1.5rem 6rem; }
header { grid-area: header; padding-top: 2rem; }
nav { grid-area: nav; position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 2rem 0; font-size: .875rem; }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; }
nav li a { display: block; padding: .25rem 0; text-decoration: none; color: var(--soft); overflow-wrap: anywhere; }
nav li a:hover { color: var(--accent); text-decoration: underline; }
nav strong { display: block; margin-top: .75rem; }
nav strong:first-child { margin-top: 0; }
main { grid-area: main; min-width: 0; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { margin: 3rem 0 1rem; padding-top: 1rem; border-top: 1px solid var(--line); }
article, section { scroll-margin-top: 1rem; }
article { margin: 0 0 1rem; border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.25rem; }
article h3 { margin: 0; font-size: 1rem; font-weight: 600; overflow-wrap: anywhere; }
article p { margin: .4rem 0; }
.method { display: inline-block; min-width: 4.2rem; font: 700 .8rem ui-monospace, monospace; color: var(--accent); }
.path, code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: .86rem; }
.soft { color: var(--soft); font-size: .9rem; }
.tag { display: inline-block; border: 1px solid var(--line); border-radius: 999px; padding: 0 .6rem; font-size: .8rem; background: var(--panel); }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .75rem 1rem; overflow-x: auto; margin: .5rem 0; }
summary { cursor: pointer; padding: .25rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); }
@media (max-width: 60rem) {
  .layout { grid-template: "header" auto "nav" auto "main" auto / minmax(0, 1fr); padding: 0 1rem 4rem; }
  nav { position: static; max-height: 14rem; margin: 1rem 0 0; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: 8px; }
}
`;
