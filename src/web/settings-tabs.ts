import { Injectable, type OnModuleInit, SetMetadata } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { accessOf, type Access } from '../auth/index.js';
import { CORE_OWNER, decoratedMethods } from '../common/index.js';
import { OperationError, Permissions, type RequestContext } from '../operations/index.js';
import type { MenuRecord } from '../sdk/index.js';
import { MenuRegistry } from '../theme/index.js';

/** A tab of the settings page. */
export interface SettingsTabDeclaration {
  /** Its name in the address (`/admin/settings?tab=`), of its partial `settings_{tab}` and of its text `settings.tab_{tab}`. */
  readonly tab: string;
  /** Smaller ones first. */
  readonly order: number;
  /** Text key of its entry in the menu; without one it is reached from the other tabs. */
  readonly menu?: string;
  /** Operation that saves it: who may not run it does not see the tab. Only administrators without a role see one that says nothing. */
  readonly needs?: string;
}

const SETTINGS_TAB_METADATA = 'svc:settings-tab';
const MENU_GROUP = { title: 'theme.menu.system', icon: 'mdi-cog-outline', order: 80 };

/**
 * Declares a method of a `*.pages.ts` as a tab of the settings page. It gets the request and returns what the partial sees besides.
 *
 * @example
 * ```ts
 * @SettingsTab({ tab: 'scans', order: 60, needs: 'savescancfg' })
 * scans(): object {
 *   return versioned(scanForm(this.settings.current));
 * }
 * ```
 */
export const SettingsTab = (declaration: SettingsTabDeclaration): MethodDecorator => SetMetadata(SETTINGS_TAB_METADATA, declaration);

/** The tabs of the settings page that features declare; those of plugins are in the `SettingsTabRegistry`. */
@Injectable()
export class SettingsTabs implements OnModuleInit {
  private tabs: readonly { declaration: SettingsTabDeclaration; show: (call: RequestContext) => unknown }[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly menus: MenuRegistry,
    private readonly permissions: Permissions,
  ) {}

  onModuleInit(): void {
    this.tabs = [...decoratedMethods<SettingsTabDeclaration>(this.discovery, this.scanner, SETTINGS_TAB_METADATA)]
      .map(({ declaration, method }) => ({ declaration, show: method }))
      .sort((a, b) => a.declaration.order - b.declaration.order);
    const children = this.tabs.flatMap(({ declaration: { tab, order, menu } }): MenuRecord[] =>
      menu ? [{ title: menu, order, url: `/admin/settings?tab=${tab}` }] : [],
    );
    if (children.length > 0) this.menus.add('admin', { ...MENU_GROUP, children }, CORE_OWNER);
  }

  /** The names of those somebody may use, in their order. */
  names(access: Access): string[] {
    return this.tabs.map(({ declaration }) => declaration.tab).filter((tab) => this.mayOpen(tab, access));
  }

  /** Whether somebody may use the tab; of one that is no feature's only who may do everything. */
  mayOpen(tab: string, access: Access): boolean {
    const needs = this.tabs.find(({ declaration }) => declaration.tab === tab)?.declaration.needs;
    return access.isFull || (needs !== undefined && this.permissions.may(access, needs));
  }

  /** What the partial of a tab sees; null where no feature has a tab of this name. @throws OperationError NOT_ALLOWED */
  async show(name: string, call: RequestContext): Promise<object | null> {
    const found = this.tabs.find(({ declaration }) => declaration.tab === name);
    if (found && !this.mayOpen(name, accessOf(call.admin))) throw new OperationError('NOT_ALLOWED');
    return found ? ((await found.show(call)) as object) : null;
  }
}
