import { hash } from 'node:crypto';

import type { OnModuleDestroy } from '@nestjs/common';
import { Injectable } from '@nestjs/common';

import type { DriverNode } from '../../driver/index.js';

import { PanelConnection } from './panel-connection.js';

const MOST = 200;
/** Key of the field of a server that holds its certificate's fingerprint. */
export const PIN_FIELD = 'certificate';

/** Open connections to server panels, those used last. What is in them can be made anew at any time. */
@Injectable()
export class PanelConnections implements OnModuleDestroy {
  /** Long work has no other end where a server falls silent; tests give their own. */
  readonly patience = { answer: 600_000, body: 60_000 };
  private readonly open = new Map<string, PanelConnection>();

  /** @param secure whether it is spoken to over TLS, which one that leads from http to https says */
  of({ address, port, panelKey, settings }: DriverNode, secure: boolean): PanelConnection {
    const pin = pinOf(settings[PIN_FIELD]);
    const key = hash('sha256', JSON.stringify([address, port, secure, panelKey, pin]), 'hex');
    const present = this.open.get(key) ?? new PanelConnection(secure, pin, this.patience);
    this.open.delete(key);
    this.open.set(key, present);
    for (const [oldest, connection] of this.open) {
      if (this.open.size <= MOST) break;
      this.open.delete(oldest);
      connection.close();
    }
    return present;
  }

  onModuleDestroy(): void {
    for (const connection of this.open.values()) connection.close();
    this.open.clear();
  }
}

/** A fingerprint however somebody wrote it down. */
export function pinOf(text = ''): string {
  const digits = text
    .replace(/^sha-?256[\s:=/]*/i, '')
    .replace(/[\s:]/g, '')
    .toUpperCase();
  return digits.replace(/(..)(?=.)/g, '$1:');
}
