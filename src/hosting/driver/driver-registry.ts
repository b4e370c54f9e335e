import { Injectable } from '@nestjs/common';

import type { Undo } from '../../common/index.js';
import { HostingError } from '../hosting-errors.js';

import type { HostDriver, IdleSign } from './host-driver.js';
import { unenforcedLimits, type EnforceableLimit } from './unenforced.js';

/** The drivers there are, by the type nodes name. */
@Injectable()
export class DriverRegistry {
  private readonly drivers = new Map<string, HostDriver>();

  /** @throws Error when the type is taken */
  register(driver: HostDriver): Undo {
    if (this.drivers.has(driver.type)) throw new Error(`There are two host drivers of the type "${driver.type}".`);
    this.drivers.set(driver.type, driver);
    return () => this.drivers.delete(driver.type);
  }

  /** The driver of a type; undefined where there is none. */
  find(type: string): HostDriver | undefined {
    return this.drivers.get(type);
  }

  /** The types there are, sorted. */
  types(): string[] {
    return [...this.drivers.keys()].sort();
  }

  /** Limits that have no effect on a node; see {@link unenforcedLimits}. */
  unenforced(node: { driver: string } | null | undefined): EnforceableLimit[] {
    return unenforcedLimits(this.drivers.get(node?.driver ?? ''));
  }

  /** Signs of a site nobody uses that can be told on a node; none where its driver is missing. */
  idleSigns(node: { driver: string } | null | undefined): readonly IdleSign[] {
    const driver = this.drivers.get(node?.driver ?? '');
    return driver ? tellableSigns(driver) : [];
  }

  /** Whether a node keeps deleted sites. */
  keeps(node: { driver: string }): boolean {
    return this.drivers.get(node.driver)?.bin !== undefined;
  }

  /** @throws HostingError DRIVER_MISSING */
  driverOf(node: { code: string; driver: string }): HostDriver {
    const driver = this.drivers.get(node.driver);
    if (!driver) throw new HostingError('DRIVER_MISSING', { code: node.code, driver: node.driver });
    return driver;
  }
}

/** Signs of a site nobody uses that can be told of a driver's sites: its own, and of domains the panel's rows tell, where it serves any. */
export function tellableSigns(driver: HostDriver): readonly IdleSign[] {
  return driver.domains ? [...new Set<IdleSign>(['domain', ...driver.idleSigns])] : driver.idleSigns;
}
