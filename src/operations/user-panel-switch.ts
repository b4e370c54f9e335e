import { ownerContact } from '../common/index.js';

import { OperationError } from './errors.js';

/** Port: whether the user side is open. The settings of the installation implement it. */
export abstract class UserPanelSwitch {
  abstract isOpen(): boolean;

  /** How to reach the owner, for who finds it closed. */
  abstract readonly contact: string;

  /** @throws OperationError USER_PANEL_CLOSED */
  requireOpen(): void {
    if (!this.isOpen()) throw new OperationError('USER_PANEL_CLOSED', { contact: ownerContact(this.contact) });
  }
}
