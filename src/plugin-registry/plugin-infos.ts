import { Injectable } from '@nestjs/common';

import type { Undo } from '../common/index.js';

import { PluginNotices } from './plugin-notices.js';

/** What `svc_plugin_register` may say of a plugin besides its manifest. */
const INFO_FIELDS = ['name', 'version', 'author', 'description', 'icon', 'homepage'] as const;
/** Characters of one value. */
const MAX_VALUE = 500;

/** What running plugins say of themselves: it stands in the plugin list beside what their manifests say. */
@Injectable()
export class PluginInfos {
  private readonly bySlug = new Map<string, Readonly<Record<string, string>>>();

  constructor(private readonly notices: PluginNotices) {}

  /** Keeps the texts of `info` until the plugin stops; what means nothing is noted. */
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

  /** What a running plugin said; empty for others. */
  of(slug: string): Readonly<Record<string, string>> {
    return this.bySlug.get(slug) ?? {};
  }

  /** Forgets what a plugin said before it starts; the answer forgets it again when it stops. */
  begin(slug: string): Undo {
    this.bySlug.delete(slug);
    return () => void this.bySlug.delete(slug);
  }
}
