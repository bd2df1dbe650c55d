export { normalizeEmail } from "./email.ts";
export { authRoutes } from "./routes.ts";
export { users } from "./tables.ts";
export { createSessionVerifier } from "./verify-session.ts";
