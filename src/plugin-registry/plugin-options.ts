import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';

const MAX_VALUE_BYTES = 60 * 1024;
const KEY_PATTERN = /^[\w.:-]{1,120}$/;

/** Settings of plugins: texts, or JSON where the value is an object or an array. */
@Injectable()
export class PluginOptions {
  private readonly find;
  private readonly findAll;
  private readonly upsert;
  private readonly remove;

  constructor(database: Database) {
    this.find = database.statement<{ value: string }>(
      'SELECT {PluginOption.value} AS value FROM {PluginOption} WHERE {PluginOption.slug} = ? AND {PluginOption.key} = ?',
    );
    this.findAll = database.statement<{ name: string; value: string }>(
      'SELECT {PluginOption.key} AS name, {PluginOption.value} AS value FROM {PluginOption} WHERE {PluginOption.slug} = ? ORDER BY {PluginOption.id} LIMIT 1000',
    );
    this.upsert = database.statement(
      `INSERT INTO {PluginOption} ({PluginOption.slug}, {PluginOption.key}, {PluginOption.value}) VALUES (?, ?, ?)
       ${database.onConflict('slug', 'key')} {PluginOption.value} = ?`,
    );
    this.remove = database.statement('DELETE FROM {PluginOption} WHERE {PluginOption.slug} = ?');
  }

  /** The stored value: JSON is decoded where the text looks like it and parses; `fallback` where nothing is stored. */
  async get(slug: string, key: string, fallback: unknown = null): Promise<unknown> {
    const row = await this.find.get(slug, key);
    return row ? decode(row.value) : fallback;
  }

  /** Every setting of one plugin, at most 1,000. */
  async all(slug: string): Promise<Record<string, unknown>> {
    const rows = await this.findAll.all(slug);
    return Object.fromEntries(rows.map((row) => [row.name, decode(row.value)]));
  }

  /**
   * Stores a value: objects and arrays as JSON, anything else as text.
   *
   * @throws Error for a key outside `[A-Za-z0-9_.:-]{1,120}` and for a value over 60 KB
   */
  async set(slug: string, key: string, value: unknown): Promise<void> {
    if (!KEY_PATTERN.test(key)) throw new Error(`An option's key must be 1 to 120 of A-Z a-z 0-9 _ . : -, not ${JSON.stringify(key)}.`);
    const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
    if (Buffer.byteLength(text) > MAX_VALUE_BYTES) throw new Error(`The option "${key}" is larger than 60 KB.`);
    await this.upsert.run(slug, key, text, text);
  }

  /** Forgets every setting of one plugin. */
  async clear(slug: string): Promise<void> {
    await this.remove.run(slug);
  }
}

function decode(text: string): unknown {
  if (!/^[[{"]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
