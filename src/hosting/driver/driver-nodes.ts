import { Injectable } from '@nestjs/common';

import { Secrets } from '../../config/index.js';

import type { DriverSettings } from './driver-fields.js';
import type { DriverNode } from './host-driver.js';

const PLACE = 'node.settings';

/** What of a row of servers its driver needs. */
export interface DriverNodeRow extends Omit<DriverNode, 'settings'> {
  /** Sealed; null where there is nothing. */
  readonly driverSettings: string | null;
}

/** Servers as their drivers see them: nothing of the row but what a driver needs, and its settings opened. */
@Injectable()
export class DriverNodes {
  constructor(private readonly secrets: Secrets) {}

  of({ code, address, port, secure, panelKey, driverSettings }: DriverNodeRow): DriverNode {
    return { code, address, port, secure, panelKey, settings: this.open(driverSettings) };
  }

  /** Settings for their row; null for none. */
  seal(settings: DriverSettings): string | null {
    return Object.keys(settings).length === 0 ? null : this.secrets.seal(JSON.stringify(settings), PLACE);
  }

  /** What {@link seal} was given; nothing where it was sealed with the key of another installation. */
  open(sealed: string | null): DriverSettings {
    const text = sealed === null ? null : this.secrets.open(sealed, PLACE);
    return text === null ? {} : (JSON.parse(text) as DriverSettings);
  }
}
