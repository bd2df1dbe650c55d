import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  casing: "snake_case",
  schema: ["./server/{db,http,jobs}/tables.ts", "./server/features/*/tables.ts"],
  out: "./server/db/migrations",
});
