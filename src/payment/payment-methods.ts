import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';
import type { PaymentMethodRecord } from '../sdk/index.js';

import { PaymentError } from './errors.js';
import { PaymentRegistry } from './payment-registry.js';
import { MAX_TYPE_LENGTH, payType } from './payment-type.js';

/** Id of the one row of `SVC_config`. */
const CONFIG_ID = 1;
/** Bytes of the column. */
const MAX_STORED_BYTES = 65_535;
const DEFAULT_SORT = 99;

/** An enabled method whose gateway is registered now. */
export interface AvailableMethod extends PaymentMethodRecord {
  /** Payment type string. */
  readonly type: string;
}

/** Which payment methods the owner of the panel has switched on: `SVC_config.pay_methods`. */
@Injectable()
export class PaymentMethods {
  private readonly read;
  private readonly write;

  constructor(
    database: Database,
    private readonly registry: PaymentRegistry,
  ) {
    this.read = database.statement<{ methods: string }>(
      'SELECT {SiteConfig.payMethods} AS methods FROM {SiteConfig} WHERE {SiteConfig.id} = ?',
    );
    this.write = database.statement('UPDATE {SiteConfig} SET {SiteConfig.payMethods} = ? WHERE {SiteConfig.id} = ?');
  }

  /** Every enabled method, in its order, whether or not its gateway is registered now. */
  async enabled(): Promise<PaymentMethodRecord[]> {
    const row = await this.read.get(CONFIG_ID);
    return row ? sorted(cleanMethods(JSON.parse(row.methods)) ?? []) : [];
  }

  /**
   * Replaces the list, cleaned: plugin and method keep `[A-Za-z0-9_-]`, rows without either and duplicates are dropped,
   * names and icons are cut to their length, `sort` is held within 0 to 999.
   *
   * @returns the list as it is stored
   * @throws PaymentError METHODS_MALFORMED for what is no list, METHODS_TOO_MANY where it does not fit, METHODS_NOT_SAVED
   */
  async save(methods: unknown): Promise<PaymentMethodRecord[]> {
    const clean = cleanMethods(methods);
    if (!clean) throw new PaymentError('METHODS_MALFORMED');
    const text = JSON.stringify(clean);
    if (Buffer.byteLength(text) > MAX_STORED_BYTES) throw new PaymentError('METHODS_TOO_MANY');
    const { affected } = await this.write.run(text, CONFIG_ID);
    if (affected !== 1) throw new PaymentError('METHODS_NOT_SAVED');
    return sorted(clean);
  }

  /** What a pay page shows: enabled, and registered now; a name or icon left empty is the gateway's own. */
  async available(): Promise<AvailableMethod[]> {
    return (await this.enabled()).flatMap((method) => {
      const type = payType(method.plugin, method.method);
      const found = this.registry.find(type);
      if (!found) return [];
      return [{ ...method, display_name: method.display_name || found.method.label, icon: method.icon || found.method.icon, type }];
    });
  }
}

function sorted(methods: PaymentMethodRecord[]): PaymentMethodRecord[] {
  return [...methods].sort((a, b) => a.sort - b.sort);
}

/** Null for what is no list. */
function cleanMethods(value: unknown): PaymentMethodRecord[] | null {
  if (!Array.isArray(value)) return null;
  const byType = new Map<string, PaymentMethodRecord>();
  for (const row of value as unknown[]) {
    if (typeof row !== 'object' || row === null) continue;
    const { plugin, method, display_name, icon, sort } = row as Record<string, unknown>;
    const clean = {
      plugin: nameOf(plugin),
      method: nameOf(method),
      display_name: textOf(display_name, 40),
      icon: textOf(icon, 60),
      sort: sortOf(sort),
    };
    const type = payType(clean.plugin, clean.method);
    if (!clean.plugin || !clean.method || type.length > MAX_TYPE_LENGTH || byType.has(type)) continue;
    byType.set(type, clean);
  }
  return [...byType.values()];
}

function nameOf(value: unknown): string {
  return typeof value === 'string' ? value.replace(/[^a-zA-Z0-9_-]/g, '') : '';
}

function textOf(value: unknown, length: number): string {
  return typeof value === 'string' ? Array.from(value.trim()).slice(0, length).join('') : '';
}

function sortOf(value: unknown): number {
  const sort = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Math.trunc(Number(value)) : NaN;
  return Number.isNaN(sort) ? DEFAULT_SORT : Math.min(999, Math.max(0, sort));
}
