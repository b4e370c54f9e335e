import * as threads from 'node:worker_threads';

/** Frees the memory of a buffer, as `ArrayBuffer.transfer` does since Node 22; before that, posting it to nobody does. */
const detach: (buffer: ArrayBuffer) => unknown =
  'transfer' in ArrayBuffer.prototype
    ? (buffer) => isShared(buffer) || (buffer as ArrayBuffer & { transfer(bytes: number): ArrayBuffer }).transfer(0)
    : postToNobody();
/** Buffers up to here, in bytes, are not worth it. */
const SMALL = 8 * 1024;

/** Whether it is the pool that Node cuts small buffers from, on Node 24 as large as what comes from a socket; posting passes it over. */
function isShared(buffer: ArrayBuffer): boolean {
  return (threads as { isMarkedAsUntransferable?(value: object): boolean }).isMarkedAsUntransferable?.(buffer) ?? true;
}

/**
 * Frees the memory of bytes that nobody looks at any more, here and now. The garbage collector sees small objects only, not the memory that
 * hangs on them, and lets more than a hundred megabytes of refused bodies lie before it takes any away.
 *
 * Only for what came from a socket and whose whole buffer is of no more use: what else was cut from it is gone too. Never for bytes on
 * their way to a file or socket.
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
