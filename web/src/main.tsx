import { MantineProvider } from "@mantine/core";
import "./app/mantine.ts";
import "./app/fonts.css";
import "./app/styles.css";
import "./app/forced-colors.css";
import "./app/print.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { dropKept } from "./api/kept-texts.ts";
import { keepRenewed } from "./api/renewal.ts";
import { currentSession, onSessionChange, reasonOfEnd } from "./api/session.ts";
import { followPages } from "./app/arrival.ts";
import { queries } from "./app/query-client.ts";
import { router } from "./app/router.tsx";
import { cssVariablesResolver, theme } from "./app/theme.ts";
import { startTooltip } from "./ui/tooltip.ts";

// The next user who signs in must not see data that was loaded for the last one.
let user = currentSession()?.userId;
onSessionChange(() => {
  const next = currentSession()?.userId;
  if (next === user) return;
  // Nor may anybody undo what the last one did.
  if (user !== undefined)
    import("./features/trees/sync/stored-steps.ts").then(
      ({ dropSteps }) => dropSteps(),
      () => {},
    );
  // Nor find what they typed, or looked for. Whose session has only expired finds it again.
  if (next !== undefined || reasonOfEnd() === "signed-out") dropKept(next);
  user = next;
  queries.clear();
  void router.invalidate();
});
keepRenewed();
startTooltip();
followPages(router);

const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";

const root = document.getElementById("root") as HTMLElement;
// What `index.html` shows until then goes before the application's first page is painted.
new MutationObserver((_, observer) => {
  if (root.querySelector(":scope > :not(style)") === null) return;
  observer.disconnect();
  for (const early of document.querySelectorAll(".early")) early.remove();
}).observe(root, { childList: true });

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
