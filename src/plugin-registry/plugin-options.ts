import { Injectable } from '@nestjs/common';

import { SEALED_MARK, Secrets } from '../config/index.js';
import { Database } from '../database/index.js';

const MAX_VALUE_BYTES = 60 * 1024;
/** Encrypted values are a third longer, and must fit the same column. */
const MAX_SECRET_BYTES = 40 * 1024;
const KEY_PATTERN = /^[\w.:-]{1,120}$/;

/** Options of plugins: texts, or JSON for objects and arrays; secrets are encrypted in their rows. */
@Injectable()
export class PluginOptions {
  private readonly find;
  private readonly findAll;
  private readonly upsert;
  private readonly remove;

  constructor(
    database: Database,
    private readonly secrets: Secrets,
  ) {
    this.find = database.statement<{ value: string }>(
      'SELECT {PluginOption.value} AS value FROM {PluginOption} WHERE {PluginOption.slug} = ? AND {PluginOption.key} = ?',
    );
    this.findAll = database.statement<{ name: string; value: string }>(
      'SELECT {PluginOption.key} AS name, {PluginOption.value} AS value FROM {PluginOption} ' +
        'WHERE {PluginOption.slug} = ? ORDER BY {PluginOption.id} LIMIT 1000',
    );
    this.upsert = database.statement(
      `INSERT INTO {PluginOption} ({PluginOption.slug}, {PluginOption.key}, {PluginOption.value}) VALUES (?, ?, ?)
       ${database.onConflict('slug', 'key')} {PluginOption.value} = ?`,
    );
    this.remove = database.statement('DELETE FROM {PluginOption} WHERE {PluginOption.slug} = ?');
  }

  /**
   * Returns the stored value: text that looks like JSON and parses is decoded; `fallback` if nothing is stored or it was encrypted with
   * another key.
   */
  async get(slug: string, key: string, fallback: unknown = null): Promise<unknown> {
    const row = await this.find.get(slug, key);
    const text = row ? this.open(slug, key, row.value) : null;
    return text === null ? fallback : decode(text);
  }

  /** Returns all options of one plugin, at most 1,000. */
  async all(slug: string): Promise<Record<string, unknown>> {
    const rows = await this.findAll.all(slug);
    return Object.fromEntries(
      rows.flatMap(({ name, value }) => {
        const text = this.open(slug, name, value);
        return text === null ? [] : [[name, decode(text)]];
      }),
    );
  }

  /**
   * Stores a value: objects and arrays as JSON, anything else as text.
   *
   * @param isSecret encrypts it, so that copies of the database do not reveal it
   * @throws Error for a key outside `[A-Za-z0-9_.:-]{1,120}` and for a value over 60 KB, a secret over 40 KB
   */
  async set(slug: string, key: string, value: unknown, isSecret = false): Promise<void> {
    if (!KEY_PATTERN.test(key)) throw new Error(`An option's key must be 1 to 120 of A-Z a-z 0-9 _ . : -, not ${JSON.stringify(key)}.`);
    const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
    // Text that only looks encrypted is encrypted too, so that it is returned unchanged.
    const sealed = (isSecret && text !== '') || text.startsWith(SEALED_MARK);
    const maxBytes = sealed ? MAX_SECRET_BYTES : MAX_VALUE_BYTES;
    if (Buffer.byteLength(text) > maxBytes) throw new Error(`The option "${key}" is larger than ${maxBytes / 1024} KB.`);
    const kept = sealed ? this.secrets.seal(text, contextOf(slug, key)) : text;
    await this.upsert.run(slug, key, kept, kept);
  }

  /** Deletes all options of one plugin. */
  async clear(slug: string): Promise<void> {
    await this.remove.run(slug);
  }

  /** Decrypts a stored value; null if it was encrypted with another key. */
  private open(slug: string, key: string, kept: string): string | null {
    return kept.startsWith(SEALED_MARK) ? this.secrets.open(kept, contextOf(slug, key)) : kept;
  }
}

const contextOf = (slug: string, key: string): string => `plugin_option.${slug.toLowerCase()}.${key}`;

function decode(text: string): unknown {
  if (!/^[[{"]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
