import { HostingError } from '../hosting-errors.js';
import { isServerShut } from '../server-access.js';

/**
 * Tells a server of what was changed in rows. Where it cannot be reached, or lets nobody in, nothing is changed there, so nothing stays
 * changed here either: that is what whoever asked is told. Whatever else it comes to, the rows stay, and the same again mends what did not
 * get there.
 *
 * @param undo takes the change back, as far as nobody has changed it again since
 * @throws what `tell` throws
 */
export async function tellOrUndo(tell: () => Promise<void>, undo: () => Promise<unknown>): Promise<void> {
  try {
    await tell();
  } catch (error) {
    if (error instanceof HostingError && (error.code === 'NODE_UNREACHABLE' || isServerShut(error.told))) await undo();
    throw error;
  }
}
