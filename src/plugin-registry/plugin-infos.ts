import { Injectable } from '@nestjs/common';

import type { Undo } from '../common/index.js';

import { PluginNotices } from './plugin-notices.js';

/** Fields that `svc_plugin_register` accepts besides the manifest. */
const INFO_FIELDS = ['name', 'version', 'author', 'description', 'icon', 'homepage'] as const;
/** Maximum length of a value, in characters. */
const MAX_VALUE = 500;

/** Information that running plugins register about themselves, shown in the plugin list next to their manifests. */
@Injectable()
export class PluginInfos {
  private readonly bySlug = new Map<string, Readonly<Record<string, string>>>();

  constructor(private readonly notices: PluginNotices) {}

  /** Keeps the texts of `info` until the plugin stops; other values produce a notice. */
  register(slug: string, info: unknown): void {
    const given = typeof info === 'object' && info !== null ? Object.entries(info) : [];
    const known: readonly string[] = INFO_FIELDS;
    for (const [field, value] of given) {
      if (!known.includes(field) || typeof value !== 'string')
        this.notices.add(slug, 'plugins.notice.info', { field: field.slice(0, 60), fields: INFO_FIELDS.join(', ') });
    }
    const texts = given.filter((entry): entry is [string, string] => known.includes(entry[0]) && typeof entry[1] === 'string');
    this.bySlug.set(slug, Object.fromEntries(texts.map(([field, value]) => [field, value.slice(0, MAX_VALUE)])));
  }

  /** Returns what a running plugin registered; empty for others. */
  of(slug: string): Readonly<Record<string, string>> {
    return this.bySlug.get(slug) ?? {};
  }

  /** Clears a plugin's information before it starts; the returned function clears it again when it stops. */
  begin(slug: string): Undo {
    this.bySlug.delete(slug);
    return () => void this.bySlug.delete(slug);
  }
}
