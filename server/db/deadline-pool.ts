import pg from "pg";
import { currentDeadline, DeadlineExceeded } from "../platform/deadline.ts";

type Taken = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (destroy?: unknown) => void,
) => void;

/**
 * A pool whose connections are given up when the deadline of the work that holds them is over: a query that hangs is then
 * cut off with its connection, because nothing else frees it while the database stands still. What was sent may be carried
 * out all the same.
 */
export class DeadlinePool extends pg.Pool {
  readonly #letGo = new WeakMap<pg.PoolClient, () => void>();

  constructor(config: pg.PoolConfig) {
    super(config);
    this.on("release", (_, client) => {
      this.#letGo.get(client)?.();
      this.#letGo.delete(client);
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(taken: Taken): void;
  override connect(taken?: Taken): Promise<pg.PoolClient> | undefined {
    const deadline = currentDeadline();
    if (deadline === undefined) return taken ? void super.connect(taken) : super.connect();
    if (taken === undefined) {
      const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>();
      this.connect((error, client) => (client ? resolve(client) : reject(error)));
      return promise;
    }
    if (deadline.isOver) {
      taken(new DeadlineExceeded("the work has been given up"), undefined, () => {});
      return;
    }
    super.connect((error, client, release) => {
      if (client && deadline.isOver) {
        release();
        return taken(new DeadlineExceeded("the work has been given up"), undefined, () => {});
      }
      if (client) {
        const takeBack = deadline.whenOver(() => client.connection.stream.destroy());
        this.#letGo.set(client, takeBack);
      }
      taken(error, client, release);
    });
    return;
  }
}
