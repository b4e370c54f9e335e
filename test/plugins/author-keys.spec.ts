import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runCommand } from '../../src/cli/author/run-command.js';
import { AUTHOR_SIGNATURE_FILE, PackageContents, readPackage } from '../../src/packaging/index.js';
import type { AjaxAnswer } from '../support/panel.js';
import { PanelWithStore } from '../support/panel-with-store.js';
import { formOf, zipOf } from '../support/store-packages.js';

const place = mkdtempSync(join(tmpdir(), 'svc-author-keys-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Runs a command of an author, whose key is in a separate config folder. */
async function run(author: string, folder: string, ...args: string[]): Promise<{ status: number; text: string }> {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const status = await runCommand(args, { folder, env: { XDG_CONFIG_HOME: join(place, author) }, say, warn: say });
  return { status, text: lines.join('\n') };
}

const keyFile = (author: string): string => join(place, author, 'svc-plugin', 'author-key.json');
const keyOf = async (author: string): Promise<string> =>
  /Key {3}([0-9a-f]{16}) {2}since \S+ signs/.exec((await run(author, place, 'keys')).text)![1]!;

/** Packs a plugin in its own folder, signed by an author. */
async function packed(author: string, slug: string, version: string, more: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  const folder = join(place, 'projects', slug);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'plugin.json'), JSON.stringify({ id: slug, name: slug, version }));
  writeFileSync(join(folder, 'index.js'), `module.exports = (svc) => svc.svc_register_route('GET', '/${slug}', () => '${version}');\n`);
  for (const [name, content] of Object.entries(more)) writeFileSync(join(folder, name), content);
  const { status, text } = await run(author, folder, 'pack');
  expect(status, text).toBe(0);
  return readFileSync(join(folder, `${slug}-${version}.zip`));
}

describe('svc-plugin keys', () => {
  it('creates a key once, readable by its owner only, with deterministic signatures', async () => {
    expect(await run('lin', place, 'keys')).toMatchObject({ status: 1, text: expect.stringContaining('svc-plugin keys create') as string });
    const unsigned = await packed('lin', 'tea', '1.0.0');
    const made = await run('lin', place, 'keys', 'create');
    expect(made).toMatchObject({ status: 0, text: expect.stringMatching(/Your key was created[^]*BEGIN PUBLIC KEY/) as string });
    expect(made.text).not.toContain('PRIVATE');
    expect(statSync(keyFile('lin')).mode & 0o777).toBe(0o600);
    const before = readFileSync(keyFile('lin'));
    expect(await run('lin', place, 'keys', 'create')).toMatchObject({ status: 1, text: expect.stringContaining('keys renew') as string });
    expect(readFileSync(keyFile('lin'))).toEqual(before);
    const signed = await packed('lin', 'tea', '1.0.0');
    expect(signed.equals(unsigned)).toBe(false);
    expect(signed.equals(await packed('lin', 'tea', '1.0.0'))).toBe(true);
    const path = join(place, 'projects', 'tea', 'tea-1.0.0.zip');
    const { author } = await readPackage(path, { type: 'plugin', slug: 'tea' });
    expect(author?.keyId).toBe(await keyOf('lin'));
    expect((await run('lin', place, 'check', path)).text).toContain(`Signed with the author key ${author!.keyId}`);
  });

  it('renews it: the old key certifies the new one and is discarded', async () => {
    await run('mo', place, 'keys', 'create');
    const [first, secret] = [await keyOf('mo'), JSON.parse(readFileSync(keyFile('mo'), 'utf8')) as { private_key: string }];
    expect((await run('mo', place, 'keys', 'renew')).text).toMatch(new RegExp(`${first} .*certifies the next key`));
    expect(readFileSync(keyFile('mo'), 'utf8')).not.toContain(JSON.stringify(secret.private_key));
    await packed('mo', 'cups', '1.0.0');
    const { author } = await readPackage(join(place, 'projects', 'cups', 'cups-1.0.0.zip'), { type: 'plugin', slug: 'cups' });
    expect(author!.keys.map(({ keyId }) => keyId)).toEqual([first, await keyOf('mo')]);
  });

  it('reports an invalid key and an invalid command', async () => {
    await run('nia', place, 'keys', 'create');
    const folder = join(place, 'projects', 'tea');
    const told = async (...args: string[]): Promise<string> => {
      const { status, text } = await run('nia', folder, ...args);
      expect(status).toBe(1);
      return text;
    };
    chmodSync(keyFile('nia'), 0o644);
    expect(await told('pack')).toContain(`chmod 600 ${keyFile('nia')}`);
    chmodSync(keyFile('nia'), 0o600);
    const mine = JSON.parse(readFileSync(keyFile('nia'), 'utf8')) as object;
    const others = JSON.parse(readFileSync(keyFile('lin'), 'utf8')) as { private_key: string };
    writeFileSync(keyFile('nia'), JSON.stringify({ ...mine, private_key: others.private_key }));
    expect(await told('keys')).toContain('do not match');
    writeFileSync(keyFile('nia'), 'nothing');
    expect(await told('pack')).toContain('is not a valid key file of svc-plugin');
    expect(await told('keys', 'lose')).toContain('Unknown action "lose"');
    const env = { SVC_AUTHOR_KEY: 'elsewhere.json' };
    const lines: string[] = [];
    expect(await runCommand(['pack'], { folder, env, say: () => undefined, warn: (line) => lines.push(line) })).toBe(1);
    expect(lines.join()).toContain('does not exist');
  });
});

describe('a package that differs from what its author signed', () => {
  /** Returns the files of a signed package, for manipulation. */
  async function files(): Promise<Record<string, Buffer>> {
    const path = join(place, 'signed.zip');
    writeFileSync(path, await packed('lin', 'tea', '1.0.0'));
    const contents = await PackageContents.open(path);
    const read = await Promise.all(contents.entries.map(async (entry) => [entry.path, await contents.readEntry(entry)] as const));
    return Object.fromEntries(read);
  }
  const signature = (all: Record<string, Buffer>) =>
    JSON.parse(all[AUTHOR_SIGNATURE_FILE]!.toString()) as {
      keys: { public_key: string; succession: string; since: string }[];
      signature: string;
    };

  it.each<[string, (all: Record<string, Buffer>) => void, string?]>([
    ['a file was changed', (all) => (all['index.js'] = Buffer.concat([all['index.js']!, Buffer.from('evil();')]))],
    ['a file was added', (all) => (all['extra.js'] = Buffer.from('evil();'))],
    ['a file was taken away', (all) => delete all['index.js']],
    ['it has another name', () => undefined, 'coffee'],
    ['the signature is of nobody', (all) => (all[AUTHOR_SIGNATURE_FILE] = Buffer.from('{}'))],
    ['the signature is no JSON', (all) => (all[AUTHOR_SIGNATURE_FILE] = Buffer.from('\0'.repeat(100)))],
    [
      'the signature is huge',
      (all) => (all[AUTHOR_SIGNATURE_FILE] = Buffer.concat([all[AUTHOR_SIGNATURE_FILE]!, Buffer.alloc(40_000, 32)])),
    ],
    [
      'it claims a key that never vouched',
      (all) => {
        const mine = signature(all);
        const theirs = (JSON.parse(readFileSync(keyFile('mo'), 'utf8')) as { keys: typeof mine.keys }).keys[0]!;
        all[AUTHOR_SIGNATURE_FILE] = Buffer.from(JSON.stringify({ ...mine, keys: [theirs, ...mine.keys] }));
      },
    ],
  ])('is refused: %s', async (_what, meddle, slug = 'tea') => {
    const all = await files();
    meddle(all);
    const path = join(place, 'meddled.zip');
    writeFileSync(path, await zipOf(slug, all));
    await expect(readPackage(path, { type: 'plugin', slug })).rejects.toMatchObject({ code: 'AUTHOR_SIGNATURE' });
    const { status, text } = await run('lin', place, 'check', path);
    expect([status, text]).toEqual([1, expect.stringContaining('[AUTHOR_SIGNATURE]')]);
  });
});

describe('a panel with a signed plugin', () => {
  let both: PanelWithStore;
  const items = new Map<string, number>();

  beforeAll(async () => {
    both = await PanelWithStore.start();
    for (const author of ['ann', 'eve']) await run(author, place, 'keys', 'create');
  });
  afterAll(() => both?.close());

  /**
   * Publishes a version in the store despite automatic findings.
   *
   * @returns the serious findings shown to the reviewer
   */
  async function publish(slug: string, version: string, zip: Buffer): Promise<string> {
    const known = items.get(slug);
    const fields = { type: 'plugin', slug, name: slug, description: '<p>x</p>', version };
    const sent = await both.author.call<{ id: number }>(
      'POST',
      known ? `/developer/items/${known}/versions` : '/developer/items',
      formOf(fields, zip),
    );
    expect(sent.status, sent.msg).toBe(200);
    const id = known ?? sent.data.id;
    items.set(slug, id);
    const first = await both.reviewer.call('PUT', `/admin/items/${id}/approve`);
    if (first.status === 200) return '';
    expect((await both.reviewer.call('PUT', `/admin/items/${id}/approve`)).status).toBe(200);
    return first.msg;
  }
  async function done(answer: AjaxAnswer): Promise<string> {
    expect(answer.success, answer.code).toBe(true);
    const task_id = String(answer.data.task_id);
    let state: AjaxAnswer | undefined;
    const ask = async () => (state = await both.panel.admin('plugin_store_task', { task_id })).data.zt;
    await expect.poll(ask, { timeout: 60_000, interval: 50 }).toMatch(/^(success|failed)$/);
    return String(state!.data.cw);
  }
  const served = async (slug: string): Promise<string> => (await both.panel.fetch(`/${slug}`)).text();
  const page = async (slug: string): Promise<string> => (await both.panel.adminFetch(`/admin/plugin-store-item?slug=${slug}`)).text();

  it('follows its author’s keys, and asks before it accepts another author’s version', async () => {
    const admin = both.panel.admin.bind(both.panel);
    const first = await keyOf('ann');
    await publish('oolong', '1.0.0', await packed('ann', 'oolong', '1.0.0'));
    expect(await done(await admin('plugin_store_install', { slug: 'oolong' }))).toBe('');
    expect(await page('oolong')).toContain(first);

    await run('ann', place, 'keys', 'renew');
    expect(await publish('oolong', '1.1.0', await packed('ann', 'oolong', '1.1.0'))).toBe('');
    expect(await done(await admin('plugin_upgrade', { slug: 'oolong' }))).toBe('');
    expect(await served('oolong')).toBe('1.1.0');

    const [known, eve] = [await keyOf('ann'), await keyOf('eve')];
    expect(await publish('oolong', '1.2.0', await packed('eve', 'oolong', '1.2.0'))).toContain('author_key.changed');
    const refused = await admin('plugin_upgrade', { slug: 'oolong' });
    expect(refused.success).toBe(false);
    expect(refused.code).toContain(known);
    expect(refused.code).toContain(eve);
    expect((await admin('plugin_upgrade')).data.asking).toEqual(['oolong']);
    const shown = await page('oolong');
    expect(shown).toContain(eve);
    expect(shown).toContain(`&#34;author&#34;:&#34;${eve}&#34;`);
    expect(await served('oolong')).toBe('1.1.0');
    expect((await admin('plugin_upgrade', { slug: 'oolong', author: known })).success).toBe(false);
    expect(await done(await admin('plugin_upgrade', { slug: 'oolong', author: eve }))).toBe('');
    expect(await served('oolong')).toBe('1.2.0');

    // The rollback restores the files together with their signing key.
    expect(await done(await admin('plugin_rollback', { slug: 'oolong' }))).toBe('');
    expect((await admin('plugin_store_install', { slug: 'oolong' })).code).toContain(eve);
  });

  it('does not trust the store about who signed', async () => {
    const first = await keyOf('ann');
    await publish('sencha', '1.0.0', await packed('ann', 'sencha', '1.0.0'));
    expect(await done(await both.panel.admin('plugin_store_install', { slug: 'sencha' }))).toBe('');
    const unsigned = await zipOf('sencha', {
      'plugin.json': JSON.stringify({ id: 'sencha', name: 'sencha', version: '1.1.0' }),
      'index.js': 'module.exports = () => {};\n',
    });
    expect(await publish('sencha', '1.1.0', unsigned)).toContain('author_key.gone');
    expect((await both.panel.admin('plugin_upgrade', { slug: 'sencha' })).code).toContain(first);
    both.between.meddle = (path, body) =>
      /\/versions$/.test(path) ? Buffer.from(body.toString().replaceAll('"author_keys":[]', `"author_keys":["${first}"]`)) : body;
    expect(await done(await both.panel.admin('plugin_upgrade', { slug: 'sencha' }))).toContain(first);
    both.between.meddle = null;
    expect(await served('sencha')).toBe('1.0.0');
    expect(await done(await both.panel.admin('plugin_upgrade', { slug: 'sencha', author: 'none' }))).toBe('');
  });
});
