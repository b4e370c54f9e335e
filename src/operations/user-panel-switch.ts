import { ownerContact } from '../common/index.js';

import { OperationError } from './errors.js';

/** Whether the user side is open. Comes from the settings of the installation. */
export abstract class UserPanelSwitch {
  abstract isOpen(): boolean;

  /** How to reach the owner, for who finds it closed. */
  abstract readonly contact: string;

  /** @throws OperationError USER_PANEL_CLOSED */
  requireOpen(): void {
    if (!this.isOpen()) throw new OperationError('USER_PANEL_CLOSED', { contact: ownerContact(this.contact) });
  }
}
