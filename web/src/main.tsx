import { MantineProvider } from "@mantine/core";
import "./app/mantine.ts";
import "./app/styles.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { isPassing, TooLate } from "./api/failure.ts";
import { keepRenewed } from "./api/renewal.ts";
import { currentSession, onSessionChange } from "./api/session.ts";
import { router } from "./app/router.tsx";
import { cssVariablesResolver, theme } from "./app/theme.ts";

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What was seen is shown again while there is no connection …
      gcTime: 30 * 60_000,
      // … and what was not fails at once, where by default it would seem to load.
      networkMode: "always",
      refetchOnReconnect: true,
      retry: (count, error) => navigator.onLine && isPassing(error) && !(error instanceof TooLate) && count < 2,
    },
    // Offline, a change fails at once: by default it would wait silently, and be sent much later.
    mutations: { networkMode: "always" },
  },
});

// The next user who signs in must not see data that was loaded for the last one.
let user = currentSession()?.userId;
onSessionChange(() => {
  const next = currentSession()?.userId;
  if (next === user) return;
  // Nor may anybody undo what the last one did.
  if (user !== undefined)
    import("./features/trees/saving/stored-steps.ts").then(
      ({ dropSteps }) => dropSteps(),
      () => {},
    );
  user = next;
  queries.clear();
  void router.invalidate();
});
keepRenewed();

const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";

createRoot(document.getElementById("root") as HTMLElement).render(
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
