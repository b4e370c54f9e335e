import { Injectable } from '@nestjs/common';

/** Whether the user side is open. Set from the site's configuration. */
@Injectable()
export class UserPanelSwitch {
  private open = true;
  private ownerContact = '';

  isOpen(): boolean {
    return this.open;
  }

  /** How to reach the owner, for who finds it closed. */
  get contact(): string {
    return this.ownerContact;
  }

  set(open: boolean, contact: string): void {
    this.open = open;
    this.ownerContact = contact;
  }
}
