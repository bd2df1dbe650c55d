import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Outage } from "../outage.ts";

const CHUNKS = [1 << 20, 4_096, 1];

const filling = (dataDir: string) => join(dataDir, "filling");

export const outage: Outage = {
  what: "the disk of the data is full, PostgreSQL crashes and cannot start on it; later there is room again",
  diskMebibytes: 256,
  async begin({ dataDir, signalDatabase }) {
    for (const bytes of CHUNKS) while (await append(filling(dataDir), bytes));
    await signalDatabase("SIGKILL");
  },
  end: ({ dataDir }) => rm(filling(dataDir)),
};

/** Returns whether there was room. */
const append = (file: string, bytes: number): Promise<boolean> =>
  writeFile(file, Buffer.alloc(bytes), { flag: "a" }).then(
    () => true,
    () => false,
  );
