import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { NONCE_MARK } from "../contract/pages.ts";
import { insertBreakpoints } from "./breakpoints.ts";
import { insertLimits } from "./limits.ts";

/** Where the service runs, for `npm run dev`. */
const service = "http://127.0.0.1:3000";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), insertBreakpoints, insertLimits],
  html: { cspNonce: NONCE_MARK },
  // Otherwise Vite looks for a configuration of PostCSS for each style, which takes a third of the build.
  css: { postcss: { plugins: [] } },
  build: {
    target: "es2023",
    // Browsers that know `light-dark()`.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Links load pages on hover, with what these read: names of small files would cost more than they save.
      resolveDependencies: (_, dependencies, { hostType }) =>
        hostType === "html" ? dependencies : dependencies.filter((name) => name.endsWith(".css")),
    },
    // For the server, which names the files of each page in the page.
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // By default what two pages share is a file of its own, forty for the editor: more round trips than bytes.
          groups: [
            { name: "libraries", test: /node_modules/, tags: ["$initial"], priority: 4 },
            { name: "app", tags: ["$initial"], priority: 3 },
            {
              name: "shared",
              test: /src[\\/](ui|api)[\\/](?!code-field|secret-dialog|copy-button|use-secret|confirm|dialog|saved-mark|lists[\\/](check-list|table-head)|numbers[\\/](read-number|read-hours|number-fault|pasted|three-points))|(estimations[\\/]queries|hours[\\/]round|sync[\\/]pause)\.ts$|react-(query|router)/,
              minShareCount: 2,
              priority: 2,
            },
            // For where numbers are typed, and hours.
            {
              name: "fields",
              test: /numbers[\\/](read-number|number-fault|pasted|three-points)|hours[\\/]conventions/,
              minShareCount: 2,
              priority: 1,
            },
            {
              name: "hours",
              test: /numbers[\\/]read-hours|domain[\\/]transfer[\\/]hours[\\/](?!conventions|looks-like)/,
              minShareCount: 2,
              priority: 1,
            },
            // What pages of one kind share, in one file for each kind; what two groups would take goes to the first.
            {
              name: "heads",
              test: /features[\\/]estimations[\\/](rights|status-mark|texts)/,
              minShareCount: 2,
              priority: 2,
            },
            // Without what all pages of an estimation read, as who may do what, and what only later pages and
            // dialogs read, such as comparing versions, merging, checking, importing and counting working hours.
            {
              name: "trees",
              test: /domain[\\/](?!access|versions|reviews|user-agent|administration|merge|rate-faults|states|steps|templates|transfer|timeline|tree[\\/](check|import-tree|edit[\\/]add-part))|tree-ids|node-kinds/,
              minShareCount: 2,
              priority: 2,
            },
            {
              name: "drafts",
              test: /trees[\\/]sync[\\/](drafts|live-pages|browser-store)/,
              minShareCount: 2,
              priority: 2,
            },
            // What is edited and what is printed are the same.
            {
              name: "editing",
              test: /trees[\\/](edited-content|sync[\\/](?!stored-steps|pause))/,
              minShareCount: 2,
            },
            { name: "figures", test: /panels[\\/](figures|curve|swings|headline)/, minShareCount: 2 },
            {
              name: "estimation-head",
              test: /features[\\/]states[\\/](estimation-head|texts|use-move)/,
              minShareCount: 2,
              priority: 2,
            },
            { name: "dialog", test: /ui[\\/](dialog|confirm)/, minShareCount: 2, priority: 2 },
            { name: "text-area", test: /Textarea|use-merged-ref/, minShareCount: 2, priority: 2 },
            {
              name: "tree-texts",
              test: /features[\\/]trees[\\/](texts|columns|field-names)/,
              minShareCount: 2,
              priority: 3,
            },
            {
              name: "changes",
              test: /marked[\\/](texts|kind|value-text|marked-tree|marked-grid\.module)|features[\\/]versions[\\/]queries/,
              minShareCount: 2,
              priority: 2,
            },
            {
              name: "review-texts",
              test: /features[\\/]reviews[\\/](texts|review-page\.module)/,
              minShareCount: 2,
              priority: 2,
            },
            {
              name: "outline",
              test: /features[\\/]trees[\\/](use-stable|fold|option-mark|commands[\\/](single-keys|use-page-keys)|outline[\\/](row-height|use-window-rows|bring-into-view|rows)|find[\\/](places|use-linked-place)|sync[\\/]revisions)/,
              minShareCount: 2,
              priority: 1,
            },
            {
              name: "marked",
              test: /features[\\/](trees[\\/]marked|reviews[\\/]line-panel)|domain[\\/]versions[\\/](diff|alike|increasing)/,
              minShareCount: 2,
            },
            {
              name: "talk",
              test: /features[\\/]reviews[\\/](talk[\\/](?!use-margin)|use-kept-text|queries)|domain[\\/]reviews/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: { host: "127.0.0.1", port: 5173, strictPort: true, proxy: { "/api": service, "/docs/plain": service } },
});
