import { Injectable } from '@nestjs/common';

import type { Undo } from '../common/index.js';

import { type DnsDriver, OWN_DRIVERS } from './drivers/index.js';

/** Registry of the available kinds of DNS providers: the panel's own, then those of enabled plugins. */
@Injectable()
export class DnsKinds {
  private readonly kinds = new Map<string, DnsDriver>(OWN_DRIVERS.map((driver) => [driver.type, driver]));

  /** @throws Error for a kind that is already registered */
  add(driver: DnsDriver): Undo {
    if (this.kinds.has(driver.type)) throw new Error(`The kind of DNS provider "${driver.type}" is already registered.`);
    this.kinds.set(driver.type, driver);
    return () => {
      if (this.kinds.get(driver.type) === driver) this.kinds.delete(driver.type);
    };
  }

  find(type: string): DnsDriver | undefined {
    return this.kinds.get(type);
  }

  /** Returns the kinds in the order they are offered. */
  all(): DnsDriver[] {
    return [...this.kinds.values()];
  }
}
