// Ends with 0 if the service on this machine can serve, else with 1: for health checks, where there is no curl.
const port = process.env.PORT || "3000";
const host = ["", "0.0.0.0", "::"].includes(process.env.HOST ?? "") ? "127.0.0.1" : process.env.HOST;
const response = await fetch(`http://${host}:${port}/readyz`).catch(() => null);
process.exitCode = response?.ok ? 0 : 1;
