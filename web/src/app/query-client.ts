import { QueryClient } from "@tanstack/react-query";
import { isPassing, TooLate } from "../api/failure.ts";

/** What the application has loaded. */
export const queries = new QueryClient({
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
