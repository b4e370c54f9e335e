import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { ZipFile } from 'yazl';

import { PACKAGE_ROOT } from '../../src/common/index.js';

import type { PanelClient } from './panel-client.js';

/** Folder with WordPress and a theme, unpacked from Debian's packages by `.ci/wordpress`; empty if not available. */
export const WORDPRESS = process.env.WORDPRESS ?? '';
const PIECE = 2_000_000;

/** Returns the usual archive of WordPress: everything in one folder, without configuration. */
export function wordpressZip(): Promise<Buffer> {
  const zip = new ZipFile();
  const add = (folder: string, name: string): void => {
    for (const entry of readdirSync(folder)) {
      const path = join(folder, entry);
      if (!existsSync(path) || entry === 'wp-config.php' || entry === '.htaccess') continue;
      if (statSync(path).isDirectory()) add(path, `${name}/${entry}`);
      else zip.addBuffer(readFileSync(path), `${name}/${entry}`);
    }
  };
  add(WORDPRESS, 'wordpress');
  zip.end();
  return buffer(zip.outputStream);
}

/** Returns the bundled program that installs it. */
export const wordpressProgram = (): Record<string, object[]> =>
  JSON.parse(readFileSync(join(PACKAGE_ROOT, 'programs/wordpress/program.json'), 'utf8')) as Record<string, object[]>;

/**
 * Adds it to the catalogue.
 *
 * @param port port at which the panel reaches the site
 * @param price in yuan; empty: free
 * @returns id
 */
export async function offerWordPress(admin: PanelClient, archive: Buffer, port: number, price = ''): Promise<string> {
  const { form, steps } = wordpressProgram();
  const send = async (fields: Record<string, string | Blob>): Promise<Record<string, unknown>> => {
    const body = new FormData();
    for (const [key, value] of Object.entries(fields)) body.append(key, value);
    return (await admin.send('/admin/ajax.php', { method: 'POST', body })).json as Record<string, unknown>;
  };
  const asked = steps!.map((step) => ('url' in step ? { ...step, url: `[sf_domain]:${port}/svc-install.php` } : step));
  const words = { cxname: 'Blog', cxrmb: price, cxwebkj: '200', cxsqlkj: '20', kg: 'on' };
  const added = await send({ gn: 'cxtj', ...words, bdf: JSON.stringify(form), czf: JSON.stringify(asked) });
  const id = String(added.id);
  for (let from = 0; from < archive.length; from += PIECE) {
    const file = new Blob([new Uint8Array(archive.subarray(from, from + PIECE))]);
    await send({ gn: 'cxwj', id, fesw: String(from), zsize: String(archive.length), file });
  }
  await send({ gn: 'cxkg', id, kg: 'true' });
  return id;
}
