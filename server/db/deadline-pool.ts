import pg from "pg";
import { currentDeadline, DeadlineExceeded } from "../platform/deadline.ts";

type Taken = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (destroy?: unknown) => void,
) => void;

/**
 * A pool whose connections are closed at the deadline of the work that holds them. That ends a query that hangs;
 * nothing else would free its connection while the database does not respond. The statement may still be carried out.
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
