/** The means of an outage: the running service on a data folder of its own, with the PostgreSQL that it started. */
export interface Scene {
  readonly dataDir: string;
  /** Sends a signal to PostgreSQL's processes, all of them. */
  signalDatabase(signal: "SIGKILL" | "SIGSTOP" | "SIGCONT"): Promise<void>;
  /** Starts one more process of the service on the same data, and waits until it runs or has been refused. */
  startAnother(): Promise<void>;
}

/** Something that fails below the service, in a file of its own in `outages/` that exports it as `outage`. */
export interface Outage {
  /** What it does, in a line. */
  readonly what: string;
  /** The size in MiB of a separate disk for the data, for instance one to be filled. Only root may mount it. */
  readonly diskMebibytes?: number;
  /** Whether the service ends the fault by itself, so that its recovery counts from the beginning. */
  readonly endsByItself?: boolean;
  /** Brings the fault about. */
  begin(scene: Scene): Promise<void>;
  /** Ends it; from then on the service has to recover by itself. */
  end(scene: Scene): Promise<void>;
}
