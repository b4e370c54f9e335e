import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import sharp from 'sharp';

import { writeRealZip } from '../../src/packaging/testing/real-zip.js';

import type { StoreAnswer, StoreClient, TestStore } from './store.js';

/** Item in answers of the API. */
export type ItemAnswer = Record<string, unknown> & {
  id: number;
  status: string;
  version: string;
  sha256: string;
  price: number;
  tags: string;
};

/** Returns a ZIP with one folder. */
export async function zipOf(root: string, files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-zip-'));
  try {
    const named = Object.fromEntries(Object.entries(files).map(([name, content]) => [`${root}/${name}`, content]));
    return readFileSync(await writeRealZip(join(folder, 'a.zip'), named));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the ZIP of a plugin that panels can install. */
export function pluginZip(slug: string, version = '1.0.0', code = 'module.exports = () => {};\n'): Promise<Buffer> {
  return zipOf(slug, { 'plugin.json': JSON.stringify({ id: slug, name: slug, version }), 'index.js': code });
}

/** Returns a form with a ZIP in the field `zipfile`. */
export function formOf(fields: Readonly<Record<string, string>>, zip?: Buffer, fileName = 'package.zip'): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (zip) form.append('zipfile', new Blob([new Uint8Array(zip)]), fileName);
  return form;
}

/**
 * Submits a plugin.
 *
 * @param fields override the default ones
 */
export async function submit(
  client: StoreClient,
  slug: string,
  fields: Readonly<Record<string, string>> = {},
  zip?: Buffer,
): Promise<StoreAnswer<ItemAnswer>> {
  const version = fields.version ?? '1.0.0';
  const form = formOf(
    { type: 'plugin', slug, name: slug, version, description: '<p>What it does</p>', ...fields },
    zip ?? (await pluginZip(slug, version)),
  );
  return client.call<ItemAnswer>('POST', '/developer/items', form);
}

/** Submits another version. */
export async function submitVersion(
  client: StoreClient,
  id: number,
  slug: string,
  version: string,
  code?: string,
): Promise<StoreAnswer<ItemAnswer>> {
  return client.call<ItemAnswer>(
    'POST',
    `/developer/items/${id}/versions`,
    formOf({ version, changelog: `New in ${version}` }, await pluginZip(slug, version, code)),
  );
}

/** Returns the names of the files in a folder of the store's data. */
export function filesIn(store: TestStore, folder: 'incoming' | 'packages' | 'images'): string[] {
  try {
    return readdirSync(join(store.place.dataDir, 'store', folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Returns a form with a small image for uploads of images. */
export async function pictureForm(format: 'png' | 'jpeg' = 'png'): Promise<FormData> {
  const picture = await sharp({ create: { width: 3, height: 3, channels: 3, background: '#00f' } })
    .toFormat(format)
    .toBuffer();
  const form = new FormData();
  form.append('image', new Blob([new Uint8Array(picture)]), `a.${format}`);
  return form;
}
