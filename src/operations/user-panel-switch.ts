import { ownerContact } from '../common/index.js';

import { OperationError } from './errors.js';

/** Port: whether the user side is open. Implemented by the installation's settings. */
export abstract class UserPanelSwitch {
  abstract isOpen(): boolean;

  /** How to contact the owner, shown while the user side is closed. */
  abstract readonly contact: string;

  /** @throws OperationError USER_PANEL_CLOSED */
  requireOpen(): void {
    if (!this.isOpen()) throw new OperationError('USER_PANEL_CLOSED', { contact: ownerContact(this.contact) });
  }
}
