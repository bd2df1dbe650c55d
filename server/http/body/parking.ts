import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";

/** Blocks of bytes on their way to a thread. */
export interface Parked {
  /** Holds them as messages that nobody has received. To be moved to the thread, or closed, which frees them. */
  readonly port: MessagePort;
  readonly count: number;
}

export interface Parking {
  /** Adds a block. Its memory is moved: the block is empty afterwards. */
  put(block: Uint8Array<ArrayBuffer>): void;
  hand(): Parked;
}

/**
 * Keeps blocks as messages. V8 counts the memory of a block for the thread that has it, and collects all garbage of this
 * thread for every 64 MiB that come; a message counts for nobody until it is received.
 */
export function createParking(): Parking {
  const { port1: entry, port2: port } = new MessageChannel();
  let count = 0;
  return {
    put(block) {
      entry.postMessage(block, [block.buffer]);
      count += 1;
    },
    hand() {
      entry.close();
      return { port, count };
    },
  };
}

/** Returns the blocks in their order. */
export function unpark({ port, count }: Parked): Uint8Array<ArrayBuffer>[] {
  const blocks = Array.from({ length: count }, () => receiveMessageOnPort(port)?.message as Uint8Array<ArrayBuffer>);
  port.close();
  return blocks;
}
