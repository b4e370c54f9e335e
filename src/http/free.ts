import * as threads from 'node:worker_threads';

/** Frees the memory of a buffer: by `ArrayBuffer.transfer` since Node 22, before that by posting it to a closed port. */
const detach: (buffer: ArrayBuffer) => unknown =
  'transfer' in ArrayBuffer.prototype
    ? (buffer) => isShared(buffer) || (buffer as ArrayBuffer & { transfer(bytes: number): ArrayBuffer }).transfer(0)
    : postToNobody();
/** Buffers up to this size, in bytes, are not worth freeing. */
const SMALL = 8 * 1024;

/** Whether the buffer is the pool that Node cuts small buffers from (on Node 24 as large as a socket's chunk); posting skips it anyway. */
function isShared(buffer: ArrayBuffer): boolean {
  return (threads as { isMarkedAsUntransferable?(value: object): boolean }).isMarkedAsUntransferable?.(buffer) ?? true;
}

/**
 * Frees the memory of bytes immediately. The garbage collector sees only the small wrapper objects, not the memory behind them, and lets
 * more than a hundred megabytes of rejected bodies accumulate before it runs.
 * Only for data from a socket whose whole buffer is no longer used: other slices of the same buffer are freed as well. Never for bytes
 * being written to a file or socket.
 */
export function free(bytes: Buffer): void {
  const { buffer } = bytes;
  if (buffer.byteLength > SMALL) detach(buffer as ArrayBuffer);
}

function postToNobody(): (buffer: ArrayBuffer) => void {
  const { port1 } = new threads.MessageChannel();
  port1.close();
  return (buffer) => port1.postMessage(null, [buffer]);
}
