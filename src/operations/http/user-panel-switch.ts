/** Whether the user side is open. Comes from the settings of the installation. */
export abstract class UserPanelSwitch {
  abstract isOpen(): boolean;

  /** How to reach the owner, for who finds it closed. */
  abstract readonly contact: string;
}
