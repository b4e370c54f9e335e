import { Injectable } from '@nestjs/common';

import type { Access } from '../auth/index.js';

import type { OperationRecord } from './operation.js';
import { OperationRegistry } from './operation-registry.js';

/** Prefix of a plugin's slug in role permissions: it covers the plugin's pages, routes and operations. */
export const PLUGIN_PERMISSION = 'plugin.';

/** Checks permissions of administrators against their roles. Unknown names are denied. */
@Injectable()
export class Permissions {
  constructor(private readonly registry: OperationRegistry) {}

  /** Whether an admin-side operation may be run. */
  mayRun(access: Access, { partOf, name, own, servers, needs }: OperationRecord): boolean {
    if (own || access.isFull) return true;
    if (needs !== undefined && !this.may(access, needs)) return false;
    if (partOf !== undefined && this.mayUsePlugin(access, partOf)) return true;
    return access.allows(name) && (access.servers === null || servers !== undefined);
  }

  /** Whether the operation of this name, or a permission such as `page.components`, is allowed. */
  may(access: Access, name: string): boolean {
    const record = this.registry.find('admin', name);
    return record ? this.mayRun(access, record) : access.servers === null && access.allows(name);
  }

  /** Whether a whole plugin may be used. Plugins know no server limits, so limited administrators are denied. */
  mayUsePlugin(access: Access, slug: string): boolean {
    return access.servers === null && access.allows(`${PLUGIN_PERMISSION}${slug}`);
  }
}
