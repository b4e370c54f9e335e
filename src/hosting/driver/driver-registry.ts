import { Injectable } from '@nestjs/common';

import { CORE_OWNER, type Undo } from '../../common/index.js';
import { HostingError } from '../hosting-errors.js';

import type { HostDriver, IdleSign } from './host-driver.js';
import { unenforcedLimits, unenforcedNodeFields, type EnforceableLimit, type UnusedNodeField } from './unenforced.js';

/** The available drivers by type. */
@Injectable()
export class DriverRegistry {
  private readonly drivers = new Map<string, HostDriver>();
  private readonly owners = new Map<string, string>();

  /** @param owner plugin that provides it @throws Error when the type is taken, naming its owner */
  register(driver: HostDriver, owner = CORE_OWNER): Undo {
    const present = this.owners.get(driver.type);
    if (present !== undefined) throw new Error(`The kind of server "${driver.type}" is already registered by ${present}.`);
    this.drivers.set(driver.type, driver);
    this.owners.set(driver.type, owner);
    return () => {
      if (this.drivers.get(driver.type) !== driver) return;
      this.drivers.delete(driver.type);
      this.owners.delete(driver.type);
    };
  }

  /** Returns the driver of a type; undefined if not found. */
  find(type: string): HostDriver | undefined {
    return this.drivers.get(type);
  }

  /** Returns the available types, sorted. */
  types(): string[] {
    return [...this.drivers.keys()].sort();
  }

  /** Limits that have no effect on a node; see {@link unenforcedLimits}. */
  unenforced(node: { driver: string } | null | undefined): EnforceableLimit[] {
    return unenforcedLimits(this.drivers.get(node?.driver ?? ''));
  }

  /** Fields of a node that have no effect; see {@link unenforcedNodeFields}. */
  unenforcedFields(node: { driver: string }): UnusedNodeField[] {
    return unenforcedNodeFields(this.drivers.get(node.driver));
  }

  /** Returns the signs of an unused site that a node can report; none if its driver is missing. */
  idleSigns(node: { driver: string } | null | undefined): readonly IdleSign[] {
    const driver = this.drivers.get(node?.driver ?? '');
    return driver ? tellableSigns(driver) : [];
  }

  /** Whether a node keeps deleted sites in a recycle bin. */
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

/** Returns the signs of an unused site known for a driver's sites: its own, and `domain` from the panel's rows if it serves domains. */
export function tellableSigns(driver: HostDriver): readonly IdleSign[] {
  return driver.domains ? [...new Set<IdleSign>(['domain', ...driver.idleSigns])] : driver.idleSigns;
}
