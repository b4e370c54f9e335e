import { hash } from 'node:crypto';

import type { OnModuleDestroy } from '@nestjs/common';
import { Injectable } from '@nestjs/common';

import type { DriverNode } from '../../driver/index.js';

import { PanelConnection } from './panel-connection.js';

const MAX_CONNECTIONS = 200;
/** Key of the server setting with the certificate's fingerprint. */
export const PIN_FIELD = 'certificate';

/** Caches the most recently used connections to server panels. They can be reopened at any time. */
@Injectable()
export class PanelConnections implements OnModuleDestroy {
  /** The only limit on long work when a server falls silent; tests use shorter times. */
  readonly timeouts = { answer: 600_000, body: 60_000 };
  private readonly open = new Map<string, PanelConnection>();

  /** @param secure whether to use TLS, which differs from the server's setting after a redirect from http to https */
  of({ address, port, panelKey, settings }: DriverNode, secure: boolean): PanelConnection {
    const pin = pinOf(settings[PIN_FIELD]);
    const key = hash('sha256', JSON.stringify([address, port, secure, panelKey, pin]), 'hex');
    const present = this.open.get(key) ?? new PanelConnection(secure, pin, this.timeouts);
    this.open.delete(key);
    this.open.set(key, present);
    for (const [oldest, connection] of this.open) {
      if (this.open.size <= MAX_CONNECTIONS) break;
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

/** Normalizes a fingerprint written in any common notation. */
export function pinOf(text = ''): string {
  const digits = text
    .replace(/^sha-?256[\s:=/]*/i, '')
    .replace(/[\s:]/g, '')
    .toUpperCase();
  return digits.replace(/(..)(?=.)/g, '$1:');
}
