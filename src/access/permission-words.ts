import { Injectable } from '@nestjs/common';

import type { Access } from '../auth/index.js';
import { CORE_OWNER, translate, type Locale } from '../common/index.js';
import { OperationRegistry, PLUGIN_PERMISSION } from '../operations/index.js';
import { MenuRegistry } from '../theme/index.js';
import { PageRegistry } from '../web/index.js';

import { logLabel } from './operation-words.js';
import { PERMISSION_GROUPS, PROVISIONING_GROUP } from './permissions.js';

/** A permission on the role page. */
export interface PermissionChoice {
  /** Operation names separated by commas, as sent by the form. */
  readonly value: string;
  readonly label: string;
  readonly chosen: boolean;
}

/** Display names of permissions: the groups of {@link PERMISSION_GROUPS}, every other operation on its own, and the plugins. */
@Injectable()
export class PermissionWords {
  constructor(
    private readonly operations: OperationRegistry,
    private readonly menus: MenuRegistry,
    private readonly pages: PageRegistry,
  ) {}

  /**
   * Returns the permissions a form offers.
   *
   * @param giver only the permissions of this administrator are offered
   * @param present current patterns of the role or key
   * @param ofKey also offers permissions that only API keys can have
   */
  choices(giver: Access, present: readonly string[], locale: Locale, ofKey = false): { title: string; choices: PermissionChoice[] }[] {
    return this.groups(locale)
      .filter(({ keysOnly }) => ofKey || !keysOnly)
      .map(({ title, permissions }) => ({
        title,
        choices: permissions
          .filter(({ names }) => names.every((name) => giver.allows(name)))
          .map(({ names, label }) => ({ value: names.join(','), label, chosen: names.every((name) => present.includes(name)) })),
      }))
      .filter(({ choices }) => choices.length > 0);
  }

  /** Returns the patterns that match no choice of the form. */
  further(present: readonly string[]): string[] {
    const known = new Set(this.groups('en').flatMap(({ permissions }) => permissions.flatMap(({ names }) => names)));
    return present.filter((pattern) => !known.has(pattern));
  }

  /** Returns the form values of patterns, as compared by the form's version: those of its choices, and the further ones. */
  form(present: readonly string[]): { qx: string; qxmb: string } {
    const further = this.further(present);
    const chosen = present.filter((pattern) => !further.includes(pattern));
    return { qx: chosen.sort().join(', '), qxmb: further.join(' ') };
  }

  /** Returns the display names of the permissions of a role. */
  describe(access: Access, locale: Locale): string[] {
    if (access.patterns.includes('*')) return [translate(locale, 'access.everything')];
    return this.groups(locale).flatMap(({ permissions }) =>
      permissions.filter(({ names }) => names.every((name) => access.allows(name))).map(({ label }) => label),
    );
  }

  /** Returns permissions not covered by {@link choices}: partial permissions with the names of their operations, and patterns verbatim. */
  beyond(access: Access, locale: Locale): string[] {
    const parts = this.groups(locale)
      .flatMap(({ permissions }) => permissions)
      .map(({ names, label }) => ({ names, label, allowed: names.filter((name) => access.allows(name)) }))
      .filter(({ names, allowed }) => allowed.length > 0 && allowed.length < names.length)
      .map(({ label, allowed }) => `${label} (${allowed.join(', ')})`);
    return [...parts, ...this.further(access.patterns)];
  }

  private groups(locale: Locale): { title: string; keysOnly?: boolean; permissions: { names: readonly string[]; label: string }[] }[] {
    const named = new Set(PERMISSION_GROUPS.flatMap(({ permissions }) => permissions.flatMap(({ operations }) => operations)));
    const others = this.operations
      .all()
      .filter(
        ({ side, owner, auth, own, name }) => side === 'admin' && owner === CORE_OWNER && auth === 'admin' && !own && !named.has(name),
      )
      .map(({ name }) => ({ names: [name], label: labelOf(name, locale) }));
    const plugins = this.plugins().map((slug) => ({
      names: [`${PLUGIN_PERMISSION}${slug}`],
      label: translate(locale, 'access.plugin', { slug }),
    }));
    return [
      ...[PROVISIONING_GROUP, ...PERMISSION_GROUPS].map(({ id, permissions }) => ({
        title: translate(locale, `access.group.${id}`),
        keysOnly: id === PROVISIONING_GROUP.id,
        permissions: permissions.map(({ id: permission, operations }) => ({
          names: operations,
          label: translate(locale, `access.permission.${permission}`),
        })),
      })),
      { title: translate(locale, 'access.group.other'), permissions: others },
      { title: translate(locale, 'access.group.plugins'), permissions: plugins },
    ];
  }

  private plugins(): string[] {
    const owners = [...this.operations.owners().keys(), ...[...this.menus.list(), ...this.pages.list()].map(({ owner }) => owner)];
    return [...new Set(owners)].filter((owner) => owner !== CORE_OWNER).sort();
  }
}

/** Returns the name in the operation log; for operations never logged there, the name on the wire. */
function labelOf(name: string, locale: Locale): string {
  const words = logLabel(name, locale);
  return words === null ? name : `${words} (${name})`;
}
