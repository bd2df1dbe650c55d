import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";

/** A limit of the memory of processes, which Linux's control groups enforce. */
export interface MemoryLimit {
  /** Words before a command that is to run within the limit, with whatever it starts. */
  readonly wrap: readonly string[];
  /** The most that its processes had at a time, in bytes, with what the system keeps of their files. */
  peak(): number;
  /** Bytes that are not files of the disk, which the system can forget. */
  anonymous(): number;
  /** Processes that the system ended because there was no more memory. */
  killed(): number;
  remove(): void;
}

const V1 = "/sys/fs/cgroup/memory";
const V2 = "/sys/fs/cgroup";

/** Makes a group for processes that may have so much memory together, without swap. Throws where that is not possible. */
export function limitMemory(bytes: number): MemoryLimit {
  const isV1 = existsSync(`${V1}/memory.limit_in_bytes`);
  const folder = `${isV1 ? V1 : V2}/estimation-${process.pid}`;
  try {
    mkdirSync(folder);
    writeFileSync(`${folder}/${isV1 ? "memory.limit_in_bytes" : "memory.max"}`, String(bytes));
    if (isV1) writeFileSync(`${folder}/memory.swappiness`, "0");
    else writeFileSync(`${folder}/memory.swap.max`, "0");
  } catch (error) {
    throw new Error("this needs root and control groups for memory", { cause: error });
  }
  const read = (file: string) => readFileSync(`${folder}/${file}`, "utf8");
  const field = (file: string, name: string) => Number(new RegExp(`^${name} (\\d+)`, "m").exec(read(file))?.[1] ?? 0);
  return {
    wrap: ["sh", "-c", `echo $$ > ${folder}/cgroup.procs && exec "$@"`, "sh"],
    peak: () => Number(read(isV1 ? "memory.max_usage_in_bytes" : "memory.peak")),
    anonymous: () => field("memory.stat", isV1 ? "total_rss" : "anon"),
    killed: () => (isV1 ? field("memory.oom_control", "oom_kill") : field("memory.events", "oom_kill")),
    remove: () => rmdirSync(folder),
  };
}
