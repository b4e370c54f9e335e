import { Injectable, type OnModuleInit, SetMetadata } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { accessOf, type Access } from '../auth/index.js';
import { CORE_OWNER, decoratedMethods } from '../common/index.js';
import { OperationError, Permissions, type RequestContext } from '../operations/index.js';
import type { MenuRecord } from '../sdk/index.js';
import { MenuRegistry } from '../theme/index.js';

/** A tab of the settings page. */
export interface SettingsTabDeclaration {
  /** Name in the URL (`/admin/settings?tab=`), of its partial `settings_{tab}` and of its text `settings.tab_{tab}`. */
  readonly tab: string;
  /** Position, ascending. */
  readonly order: number;
  /** Text key of its menu entry; without it the tab is only reached from other tabs. */
  readonly menu?: string;
  /** Operation that saves it: the tab is hidden without that permission. Without it, only administrators without a role see the tab. */
  readonly needs?: string;
}

const SETTINGS_TAB_METADATA = 'svc:settings-tab';
const MENU_GROUP = { title: 'theme.menu.system', icon: 'mdi-cog-outline', order: 80 };

/**
 * Declares a method of a `*.pages.ts` as a tab of the settings page. It receives the request and returns further variables of the partial.
 * @example
 * ```ts
 * @SettingsTab({ tab: 'scans', order: 60, needs: 'savescancfg' })
 * scans(): object {
 *   return versioned(scanForm(this.settings.current));
 * }
 * ```
 */
export const SettingsTab = (declaration: SettingsTabDeclaration): MethodDecorator => SetMetadata(SETTINGS_TAB_METADATA, declaration);

/** Settings tabs declared by features; those of plugins are in the `SettingsTabRegistry`. */
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

  /** Returns the names of the permitted tabs, in order. */
  names(access: Access): string[] {
    return this.tabs.map(({ declaration }) => declaration.tab).filter((tab) => this.mayOpen(tab, access));
  }

  /** Returns whether a tab may be used; tabs that belong to no feature require full access. */
  mayOpen(tab: string, access: Access): boolean {
    const needs = this.tabs.find(({ declaration }) => declaration.tab === tab)?.declaration.needs;
    return access.isFull || (needs !== undefined && this.permissions.may(access, needs));
  }

  /** Returns the variables of a tab's partial; null if no feature has this tab. @throws OperationError NOT_ALLOWED */
  async show(name: string, call: RequestContext): Promise<object | null> {
    const found = this.tabs.find(({ declaration }) => declaration.tab === name);
    if (found && !this.mayOpen(name, accessOf(call.admin))) throw new OperationError('NOT_ALLOWED');
    return found ? ((await found.show(call)) as object) : null;
  }
}
