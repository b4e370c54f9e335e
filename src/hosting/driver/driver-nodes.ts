import { Injectable } from '@nestjs/common';

import { Secrets } from '../../config/index.js';

import type { DriverSettings } from './driver-fields.js';
import type { DriverNode } from './host-driver.js';

const SETTINGS = 'node.settings';
const PANEL_KEY = 'node.panel_key';

/** The columns of a server's row that its driver needs. */
export interface DriverNodeRow extends Omit<DriverNode, 'settings' | 'panelKey'> {
  /** Empty if there is none. */
  readonly sealedPanelKey: string;
  /** Sealed; null if there are none. */
  readonly driverSettings: string | null;
}

/** Converts servers for their drivers: only the values a driver needs, with secrets decrypted. */
@Injectable()
export class DriverNodes {
  constructor(private readonly secrets: Secrets) {}

  of({ code, address, port, secure, sealedPanelKey, driverSettings, defaultPhp }: DriverNodeRow): DriverNode {
    const known = { code, address, port, secure, ...(defaultPhp ? { defaultPhp } : {}) };
    return { ...known, panelKey: this.openKey(sealedPanelKey), settings: this.open(driverSettings) };
  }

  /** Encrypts settings for their row; null for none. */
  seal(settings: DriverSettings): string | null {
    return Object.keys(settings).length === 0 ? null : this.secrets.seal(JSON.stringify(settings), SETTINGS);
  }

  /** Decrypts what {@link seal} returned; empty if it was encrypted with the key of another installation. */
  open(sealed: string | null): DriverSettings {
    const text = sealed === null ? null : this.secrets.open(sealed, SETTINGS);
    return text === null ? {} : (JSON.parse(text) as DriverSettings);
  }

  /** Encrypts the key of a server panel for its row; empty for none. */
  sealKey(key: string): string {
    return key && this.secrets.seal(key, PANEL_KEY);
  }

  /** Decrypts what {@link sealKey} returned; empty if it was encrypted with the key of another installation. */
  openKey(sealed: string): string {
    return this.secrets.open(sealed, PANEL_KEY) ?? '';
  }
}
