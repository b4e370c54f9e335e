import { HostingError } from '../hosting-errors.js';
import { isServerShut } from '../server-access.js';

/**
 * Applies changed rows to a server. If the server is unreachable or denies access, nothing was changed there, so the rows are restored and
 * the error is returned to the caller. After any other error the rows stay changed, and repeating the request applies them again.
 *
 * @param undo restores the rows, unless they were changed again in the meantime
 * @throws errors of `tell`
 */
export async function tellOrUndo(notify: () => Promise<void>, undo: () => Promise<unknown>): Promise<void> {
  try {
    await notify();
  } catch (error) {
    if (error instanceof HostingError && (error.code === 'NODE_UNREACHABLE' || isServerShut(error.told))) await undo();
    throw error;
  }
}
