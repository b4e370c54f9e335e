/** One-click programs: the catalogue, the installation on a site, and the rollback. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import {
  BundledProgram,
  BundledPrograms,
  Deployment,
  DeployProgram,
  HostingAccount,
  ProgramPurchase,
  SiteBackup,
  SitesAddress,
  SitesServer,
} from '../src/hosting/index.js';
import { OperationLog } from '../src/operations/index.js';

import { OwnerClient } from './support/owner-client.js';
import { TestPanel } from './support/panel.js';
import { zipOf } from './support/program-zip.js';

let panel: TestPanel;
let owner: OwnerClient;
let stranger: OwnerClient;
let elsewhere: Server;
let served: Buffer;

type Answer = Record<string, unknown> & { rows: Record<string, string>[]; id: number };

beforeAll(async () => {
  elsewhere = createServer((req, res) => {
    if (req.url === '/program.zip') res.end(served);
    // Aborts the connection.
    else if (req.url === '/cut.zip') res.writeHead(200, { 'Content-Length': 1_000 }).write('PK', () => res.destroy());
    else res.writeHead(404).end();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  panel = await TestPanel.start({ SERVICES: 'panel,worker', OUTBOUND_ALLOW: '127.0.0.0/8,::1/128' });
  owner = await OwnerClient.open(panel, 'owner01', 'local');
  stranger = await OwnerClient.open(panel, 'stranger1', 'local');
});
afterAll(async () => {
  await panel?.close();
  elsewhere?.close();
});

const programs = () => panel.get(Database).repository(DeployProgram);
const deployments = () => panel.get(Database).repository(Deployment);
const admin = async (gn: string, fields: Record<string, string> = {}) => (await panel.admin(gn, fields)) as unknown as Answer;

/** Adds a program with its archive. */
async function add(fields: Record<string, string>, files: Record<string, string> | Buffer | null): Promise<Answer> {
  const body = new FormData();
  for (const [name, value] of Object.entries({ gn: 'cxtj', kg: 'on', ...fields })) body.append(name, value);
  const archive = files === null || Buffer.isBuffer(files) ? files : await zipOf(files);
  if (archive) body.append('filecx', new Blob([new Uint8Array(archive)]), 'program.zip');
  const response = await panel.adminFetch('/admin/ajax.php', { method: 'POST', body, headers: { 'Accept-Language': 'en' } });
  return (await response.json()) as Answer;
}

/** A folder of the owner's site on this machine. */
async function folderOf(user = 'owner01'): Promise<string> {
  const { siteName } = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: user });
  return join(panel.dataDir, 'sites', siteName, 'public');
}
const settled = (client = owner) =>
  expect.poll(async () => (await deployments().findBy({ busy: Number(client.id) })).length, { timeout: 20_000 }).toBe(0);

const FORM = [
  { cz: 'input', ltaler: 'Title', blx: 'title', isnr: 'My site', bt: '是', cdxz: '20', srlx: '文本' },
  { cz: 'input', ltaler: 'Year', blx: 'year', bt: '否', srlx: '数字' },
  { cz: 'dxk', ltaler: 'Colour', blx: 'colour', bt: '是', xknr: 'red,blue' },
  { cz: 'urlxz', ltaler: 'Domain', blx: 'domain', bt: '是' },
];
const STEPS = {
  1: { cz: 'xjwjj', ml: '/', name: 'data' },
  2: { cz: 'setwj', ml: '/data', name: 'config.txt', nr: '[SF_Title]/[sf_year]/[sf_colour] on [sf_domain] at [cn_date]' },
  3: { cz: 'cxname', lj: '/', jne: 'old.html', xne: 'new.html' },
  4: { cz: 'delwj', ml: '/', name: 'readme.txt' },
  5: { cz: 'xjwj', ml: '/data', name: 'empty.txt' },
  6: { cz: 'setyxml', lj: '/web' },
};
const FILES = { 'web/index.html': '<h1>starter</h1>', 'old.html': 'renamed', 'readme.txt': 'read me', 'site.css': 'h1{}' };
let starter: string;
/** The bundled programs, which exist from the first start. */
const OURS = 2;
const archives = () => readdirSync(join(panel.dataDir, 'programs')).length - OURS;

describe('the catalogue', () => {
  it('accepts a program with its archive, form and steps, and describes it as other programs read it', async () => {
    const words = { cxname: 'Starter', cxjs: 'A page', cxrmb: '0', cxwebkj: '10', cxsqlkj: '0', alerts: 'Welcome to [sf_title]!' };
    const answer = await add({ ...words, bdf: JSON.stringify(FORM), czf: JSON.stringify(STEPS) }, FILES);
    expect(answer).toMatchObject({ success: true, code: 200 });
    starter = String(answer.id);
    const { rows, total } = (await admin('listbs')) as Answer & { total: number };
    expect(total).toBe(OURS + 1);
    const row = rows[OURS]!;
    expect(row).toMatchObject({ name: 'Starter', jc: 'A page', jg: '0.00', sxpz: '["10","0"]', tj: '[]', qk: 'true', cxdx: '0.00' });
    expect(JSON.parse(row.pz!)).toMatchObject({ 1: STEPS[1], 6: STEPS[6] });
    expect(JSON.parse(row.inp!)).toHaveLength(4);
    expect(await add({ cxname: 'Starter' }, FILES)).toMatchObject({ success: false, code: 100, err: 'E_EXISTS' });
  });

  it.each([
    ['a step there is none of', [{ cz: 'rm', ml: '/' }], 'Step 1: this panel has no step "rm"'],
    ['a parameter the step has not', [{ cz: 'setphp', php: '82', shell: 'id' }], 'has no parameter "shell"'],
    ['a parameter that is missing', [{ cz: 'xjwj', ml: '/' }], 'requires "name"'],
    ['a way out of the site', [{ cz: 'setwj', ml: '/../..', name: 'x', nr: '' }], 'a path inside the site'],
    ['a name with a folder', [{ cz: 'cxname', lj: '/', jne: 'a', xne: 'b/c' }], 'a single name'],
    ['a placeholder nothing fills', [{ cz: 'setwj', ml: '/', name: 'x', nr: '[sf_nobody]' }], '[sf_nobody]'],
    ['a way to write a value there is none of', [{ cz: 'setwj', ml: '/', name: 'x', nr: '[cn_date:shell]' }], '[cn_date:shell]'],
    ['an answer that may be missing', [{ cz: 'setwj', ml: '/', name: 'x', nr: '[cn_date?]' }], '[cn_date?]'],
    ['no version of PHP', [{ cz: 'setphp', php: '8; id' }], 'PHP version must be'],
    ['a nested value', [{ cz: 'setphp', php: { $gt: '' } }], 'must be text'],
    ['a prototype', [{ cz: '__proto__' }], 'has no step'],
  ])('rejects %s by name, and keeps nothing', async (_what, steps, text) => {
    const refused = await add({ cxname: 'Bad', czf: JSON.stringify(steps) }, FILES);
    expect(refused).toMatchObject({ success: false, code: 100, err: 'E_ARGS', fields: { czf: expect.stringContaining(text) as string } });
    expect(await admin('cxjy', { czf: JSON.stringify(steps) })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await programs().count()).toBe(OURS + 1);
  });

  it('reports the limit at the field of unreadable input', async () => {
    for (const [field, most] of [
      ['bdf', '50'],
      ['czf', '100'],
    ] as const)
      expect(await admin('cxjy', { [field]: '{' })).toMatchObject({ fields: { [field]: expect.stringContaining(most) as string } });
  });

  it.each([
    ['a kind of field there is none of', [{ cz: 'file', ltaler: 'x', blx: 'x' }], 'is not a field type'],
    ['a field of its own making', [{ cz: 'input', ltaler: 'x', blx: 'x', eval: '1' }], 'no parameter "eval"'],
    [
      'one variable twice',
      [
        { cz: 'input', ltaler: 'x', blx: 'x' },
        { cz: 'input', ltaler: 'y', blx: 'X' },
      ],
      'twice',
    ],
    ['the name of a field of the request', [{ cz: 'input', ltaler: 'x', blx: 'gn' }], 'is not a valid variable'],
    ['choices without any', [{ cz: 'dxk', ltaler: 'x', blx: 'x' }], 'choices'],
    ['what is no list', 'form', 'cannot be read'],
  ])('rejects %s', async (_what, form, text) => {
    const refused = await add({ cxname: 'Bad', bdf: typeof form === 'string' ? form : JSON.stringify(form) }, FILES);
    expect(refused).toMatchObject({ success: false, code: 100, fields: { bdf: expect.stringContaining(text) as string } });
  });

  it('accepts only a complete ZIP', async () => {
    expect(await add({ cxname: 'Bad' }, Buffer.from('7z¼¯\u0027\u001c'))).toMatchObject({ code: 100, err: 'E_ARGS' });
    expect(await add({ cxname: 'Bad' }, (await zipOf(FILES)).subarray(0, 200))).toMatchObject({ code: 100, err: 'E_ARGS' });
    expect(archives()).toBe(1);
  });

  it('downloads an archive from a URL, accepts one in parts, and offers no program without one', async () => {
    served = await zipOf({ 'index.php': '<?php echo 1;' });
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const told = async (path: string): Promise<unknown> => {
      const answer = await add({ cxname: 'Fetched', url: path }, null);
      expect(answer).toMatchObject({ code: 100, err: 'E_UNREACH' });
      return answer.msg;
    };
    const look = 'Check that the address opens in a browser without signing in.';
    expect(await told(`${url}/nothing.zip`)).toBe(`The archive could not be downloaded: HTTP 404. ${look}`);
    expect(await told(`${url}/cut.zip`)).toBe(
      `The archive could not be downloaded: no complete response within 120 seconds, or more than 100 MB. ${look}`,
    );
    expect(await told('http://10.0.0.1/a.zip')).toBe(
      `The archive could not be downloaded: the panel may not access internal addresses (OUTBOUND_ALLOW). ${look}`,
    );
    expect(await add({ cxname: 'Fetched', url: 'file:///etc/passwd' }, null)).toMatchObject({ success: false, err: 'E_ARGS' });
    const fetched = await add({ cxname: 'Fetched', url: `${url}/program.zip` }, null);
    expect(fetched).toMatchObject({ code: 200 });
    expect(await programs().findOneByOrFail({ id: fetched.id })).toMatchObject({ hasPhp: true, onShelf: true });

    const { id } = await add({ cxname: 'Pieces' }, null);
    expect(await programs().findOneByOrFail({ id })).toMatchObject({ archivePath: '', onShelf: false });
    expect(await admin('cxkg', { id: String(id), kg: 'true' })).toMatchObject({ success: false, err: 'E_STATE' });
    const send = async (from: number, bytes: Buffer): Promise<Answer> => {
      const body = new FormData();
      const fields = { gn: 'cxwj', id: String(id), fesw: String(from), zsize: String(served.length) };
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      body.append('file', new Blob([new Uint8Array(bytes)]), 'blob');
      return (await (await panel.adminFetch('/admin/ajax.php', { method: 'POST', body })).json()) as Answer;
    };
    expect(await send(0, served.subarray(0, 50))).toMatchObject({ error: 0, size: 50 });
    expect(await send(10, served.subarray(10))).toMatchObject({ success: false, error: 1, size: 4 });
    expect(await send(50, served.subarray(50))).toMatchObject({ error: 1, size: 1 });
    expect(await admin('cxkg', { id: String(id), kg: 'true' })).toMatchObject({ success: true });
    expect(await programs().findOneByOrFail({ id })).toMatchObject({ hasPhp: true, onShelf: true, archiveSize: served.length });
  });

  it('can be changed, sorted, and cleared of programs with their archives', async () => {
    const [fetched, pieces] = await Promise.all(['Fetched', 'Pieces'].map((name) => programs().findOneByOrFail({ name })));
    expect(await admin('cxxgjl', { id: String(pieces!.id), cxname: 'Cut', cxrmb: '9.9', webkj: '5' })).toMatchObject({ success: true });
    expect(await programs().findOneByOrFail({ id: pieces!.id })).toMatchObject({ name: 'Cut', price: 990, requiredQuotaMb: [5, 0] });
    expect(await admin('cxxgjl', { id: String(pieces!.id), cxname: 'Starter' })).toMatchObject({ success: false, err: 'E_EXISTS' });
    await admin('cxpx', { idsz: `${pieces!.id},${starter}` });
    expect((await admin('listbs')).rows.map(({ name }) => name)).toEqual(['Cut', 'Starter', '留言板', '单页网站', 'Fetched']);
    expect(await admin('cxsc', { id: String(fetched!.id) })).toMatchObject({ success: true });
    expect(await admin('cxscxz', { idsz: `${pieces!.id},9999,` })).toMatchObject({ success: true, n: 1, codr: 1 });
    expect(archives()).toBe(1);
    expect(await admin('cxsc', { id: '9999' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
  });
});

describe('bundled programs', () => {
  const bundled = () => panel.get(Database).repository(BundledProgram).findBy({});

  it('are in the catalogue from the first start, in the reader’s language', async () => {
    const { rows } = await owner.call('deploy_list');
    expect(rows).toContainEqual(expect.objectContaining({ name: '留言板', jg: '0.00', ks: 'false' }));
    expect(rows).toContainEqual(expect.objectContaining({ name: '单页网站', ks: 'true', bz: '' }));
    const page = await panel.adminFetch('/admin/deploy-programs', { headers: { 'Accept-Language': 'en' } });
    expect(await page.text()).toContain('Guestbook');
    expect((await bundled()).map(({ slug, version }) => [slug, version])).toEqual([
      ['guestbook', 1],
      ['starter', 1],
    ]);
  });

  it('stay deleted once deleted, stay as they were changed, and otherwise follow the panel', async () => {
    const ours = panel.get(Database).repository(BundledProgram);
    const [book, page] = await Promise.all(['guestbook', 'starter'].map((slug) => ours.findOneByOrFail({ slug })));
    const before = await programs().findOneByOrFail({ id: page!.programId! });
    // As from a newer panel.
    await ours.update({ slug: 'starter' }, { version: 0 });
    await panel.get(BundledPrograms).offer();
    const after = await programs().findOneByOrFail({ id: before.id });
    expect(after.archivePath).not.toBe(before.archivePath);
    expect(await ours.findOneByOrFail({ slug: 'starter' })).toEqual(page);
    await admin('cxxgjl', { id: String(before.id), czf: '[]' });
    await ours.update({ slug: 'starter' }, { version: 0 });
    await admin('cxsc', { id: String(book!.programId) });
    await ours.update({ slug: 'guestbook' }, { version: 0 });
    await panel.get(BundledPrograms).offer();
    expect(await programs().findOneByOrFail({ id: before.id })).toMatchObject({ steps: [], archivePath: after.archivePath });
    expect(await programs().countBy({ name: '留言板' })).toBe(0);
  });
});

/** Sends an export. */
const send = async (bytes: Buffer, from = 0, fields: Record<string, string> = {}) => {
  const body = new FormData();
  for (const [name, value] of Object.entries({ gn: 'cxfiledru', fesw: String(from), zsize: String(bytes.length), ...fields }))
    body.append(name, value);
  body.append('file', new Blob([new Uint8Array(bytes.subarray(from))]), 'blob');
  return (await (await panel.adminFetch('/admin/ajax.php', { method: 'POST', body })).json()) as Answer & { left: string[]; msg: string };
};

describe('programs of another panel', () => {
  it('are imported from one file with their archives, and existing ones are named', async () => {
    const told = await admin('cxdc', { id: `${starter},` });
    expect(told).toMatchObject({ code: 1, url: `/admin/program-export?id=${starter}` });
    const exported = Buffer.from(await (await panel.adminFetch(String(told.url))).arrayBuffer());
    expect(await send(exported)).toMatchObject({ error: 1, size: 1, n: 0, left: [expect.stringMatching(/^Starter: /) as string] });
    const before = await programs().findOneByOrFail({ id: Number(starter) });
    await programs().update({ id: before.id }, { name: 'Set aside' });
    expect(await send(exported, 0, { sxj: 'true' })).toMatchObject({ error: 1, size: 1, n: 1, left: [] });
    const { form, steps, archiveSize, onShelf, price, description, doneMessage } = before;
    const added = await programs().findOneByOrFail({ name: 'Starter' });
    expect(added).toMatchObject({ form, steps, archiveSize, onShelf, price, description, doneMessage, buyers: [] });
    await admin('cxsc', { id: String(added.id) });
    await programs().update({ id: before.id }, { name: 'Starter' });
    expect((await panel.fetch(String(told.url))).headers.get('content-type')).not.toContain('zip');
    expect((await panel.adminFetch('/admin/program-export?id=9999')).headers.get('content-type')).toContain('json');
  });

  it('are checked like those typed in', async () => {
    const index = [
      { name: 'Evil', inp: [], pz: [{ cz: 'rm' }] },
      { name: 'Way out', inp: [], pz: [{ cz: 'setwj', ml: '/../..', name: 'x', nr: '' }] },
      { name: '', inp: [], pz: [] },
      { name: 'No archive', inp: [], pz: [], archive: '../../etc/passwd' },
    ];
    const answer = await send(await zipOf({ 'programs.json': JSON.stringify(index) }), 0, { sxj: 'true' });
    expect(answer).toMatchObject({ n: 1, left: [expect.stringContaining('Evil'), expect.stringContaining('Way out'), expect.any(String)] });
    const added = await programs().findOneByOrFail({ name: 'No archive' });
    expect(added).toMatchObject({ onShelf: false, archivePath: '' });
    await admin('cxsc', { id: String(added.id) });
    for (const broken of [await zipOf({ 'other.json': '[]' }), await zipOf({ 'programs.json': '{' }), Buffer.from('no zip at all')])
      expect(await send(broken)).toMatchObject({ success: false, error: 1, size: 4, err: 'E_ARGS' });
  });
});

describe('pictures of a program', () => {
  const change = async (fields: Record<string, string>, picture?: Buffer) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ gn: 'cxxgjl', id: starter, ...fields })) body.append(name, value);
    if (picture) body.append('imgfile[]', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'a.png');
    return (await (await panel.adminFetch('/admin/ajax.php', { method: 'POST', body })).json()) as Answer;
  };
  const pictures = async () => (await programs().findOneByOrFail({ id: Number(starter) })).images;
  const one = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

  it('are re-encoded, shown to owners, limited in number, and deleted again', async () => {
    expect(await change({}, Buffer.from('<svg onload="alert(1)"/>'))).toMatchObject({
      success: false,
      fields: { 'imgfile[]': expect.any(String) as string },
    });
    for (let n = 0; n < 6; n += 1) expect(await change({}, one)).toMatchObject({ success: true });
    expect(await change({}, one)).toMatchObject({ success: false, err: 'E_ARGS', code: expect.stringContaining('6') as string });
    const [first, second] = await pictures();
    expect((await panel.fetch(first!)).headers.get('content-type')).toBe('image/png');
    expect((await panel.fetch('/uploads/programs/..%2F..%2Fpanel.db')).status).toBe(404);
    expect(await owner.page(`program?id=${starter}`)).toContain(first);
    expect(await change({ src: `${second},/etc/passwd` })).toMatchObject({ success: true });
    expect(await pictures()).toEqual([second]);
    // They are transferred to another panel with the program, as its own pictures.
    const exported = Buffer.from(await (await panel.adminFetch(`/admin/program-export?id=${starter}`)).arrayBuffer());
    await programs().update({ id: Number(starter) }, { name: 'Set aside' });
    expect(await send(exported)).toMatchObject({ n: 1, left: [] });
    const { id, images } = await programs().findOneByOrFail({ name: 'Starter' });
    expect(images).toEqual([expect.stringMatching(/^\/uploads\/programs\/.+\.png$/)]);
    expect(images).not.toEqual([second]);
    expect((await panel.fetch(images[0]!)).headers.get('content-type')).toBe('image/png');
    await admin('cxsc', { id: String(id) });
    await programs().update({ id: Number(starter) }, { name: 'Starter' });
    const index = JSON.stringify([{ name: 'Drawn', inp: [], pz: [], src: ['pictures/1.png'] }]);
    const drawn = await zipOf({ 'programs.json': index, 'pictures/1.png': '<svg onload="alert(1)"/>' });
    expect(await send(drawn)).toMatchObject({ n: 0, left: [expect.stringContaining('Drawn') as string] });
    await change({ src: '' });
    expect(await pictures()).toEqual([]);
  });
});

describe('installing a program', () => {
  const answers = { title: "It's mine", year: '2026', colour: 'red', domain: '' };
  let folder: string;

  beforeAll(async () => {
    folder = await folderOf();
    writeFileSync(join(folder, 'mine.txt'), 'of before');
    mkdirSync(join(folder, 'pictures'));
    writeFileSync(join(folder, 'pictures', 'a.png'), 'picture');
    answers.domain = panel.get(SitesAddress).nameOf('owner01');
  });

  it('shows what is offered, and the form', async () => {
    const list = (await owner.call('deploy_list')) as Answer & { msg: { list: object[] } };
    expect(list.qk).toBe(1);
    expect(list.msg.list).toContainEqual(expect.objectContaining({ id: starter, name: 'Starter', ks: 'true', gm: 'true' }));
    const form = await owner.call('yjbsform', { id: starter });
    expect(JSON.parse(String(form.form))).toMatchObject([{ blx: 'title', bt: '是', cdxz: 20 }, {}, { xknr: ['red', 'blue'] }, {}]);
  });

  it.each([
    [{ title: '' }, 'title'],
    [{ title: 'x'.repeat(21) }, 'title'],
    [{ title: 'a\u0000b' }, 'title'],
    [{ year: 'last' }, 'year'],
    [{ colour: 'green' }, 'colour'],
    [{ domain: 'somebody.example.com' }, 'domain'],
  ])('rejects invalid values at their field: %j', async (wrong, field) => {
    const refused = await owner.call('yjbs', { id: starter, ...answers, ...wrong });
    expect(refused).toMatchObject({ success: false, qk: 4, err: 'E_ARGS', fields: { [field]: expect.any(String) as string } });
    expect(readdirSync(folder)).toContain('mine.txt');
    expect(await deployments().count()).toBe(0);
  });

  it('replaces the site’s content, runs the steps and shows the program’s message', async () => {
    expect(await owner.call('yjbs', { id: starter, ...answers })).toMatchObject({ success: true, qk: 1, code: "Welcome to It's mine!" });
    expect(readdirSync(folder).sort()).toEqual(['data', 'new.html', 'site.css', 'web']);
    expect(readFileSync(join(folder, 'data', 'config.txt'), 'utf8')).toMatch(/^It's mine\/2026\/red on owner01\.[a-z.]+ at \d{4}-/);
    expect(readFileSync(join(folder, 'data', 'empty.txt'), 'utf8')).toBe('');
    expect(await owner.call('set_init', { section: 'yxml' })).toMatchObject({ msg: { runPath: '/web' } });
    expect((await programs().findOneByOrFail({ id: Number(starter) })).buyers).toEqual(['owner01']);
    const [row] = await deployments().find();
    expect(row).toMatchObject({ state: 'done', busy: null, answers: '', step: 6, steps: 6, by: 'user' });
    const lines = JSON.stringify(await panel.get(Database).repository(OperationLog).find());
    expect(lines).not.toContain('of before');
  });

  it('is inaccessible to others, who can neither see nor roll it back', async () => {
    const [row] = (await owner.call('listbsjl')).rows as Record<string, string>[];
    expect(row).toMatchObject({ name: 'Starter', zt: 'done', kt: 'true' });
    for (const gn of ['bsjd', 'bsht', 'bsqx'])
      expect([gn, await stranger.call(gn, { bs: row!.id! })]).toMatchObject([gn, { success: false, err: 'E_NOTEXIST' }]);
    expect((await stranger.call('listbsjl')).rows).toEqual([]);
    expect(await admin('bsjd', { id: stranger.id, bs: row!.id! })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await admin('bsjd', { id: owner.id, bs: row!.id! })).toMatchObject({ success: true, zt: 'success' });
  });

  it('is rolled back: files and settings are as before', async () => {
    const [row] = (await owner.call('listbsjl')).rows as Record<string, string>[];
    expect(await owner.call('bsht', { bs: row!.id! })).toMatchObject({ success: true });
    await settled();
    expect(readdirSync(folder).sort()).toEqual(['index.html', 'mine.txt', 'pictures']);
    expect(await owner.call('set_init', { section: 'yxml' })).toMatchObject({ msg: { runPath: '/' } });
    expect(await owner.call('bsjd', { bs: row!.id! })).toMatchObject({ zt: 'success', state: 'undone' });
    expect(await owner.call('bsht', { bs: row!.id! })).toMatchObject({ success: false, err: 'E_STATE' });
    const kept = await panel
      .get(Database)
      .repository(SiteBackup)
      .findBy({ hostId: Number(owner.id) });
    expect(kept.map(({ kind, state, busy }) => [kind, state, busy])).toEqual([['safety', 'done', null]]);
  });

  it('restores the site when a step fails, and says which and why', async () => {
    const steps = [STEPS[1], { cz: 'delwj', ml: '/', name: 'site.css' }, { cz: 'cxname', lj: '/', jne: 'nowhere', xne: 'x' }];
    const { id } = await add({ cxname: 'Failing', czf: JSON.stringify(steps) }, FILES);
    const refused = await owner.call('yjbs', { id: String(id) });
    expect(refused).toMatchObject({ success: false, qk: 4 });
    expect(String(refused.code)).toMatch(/^部署失败：第3步出错（重命名），错误提示：/);
    await settled();
    expect(readdirSync(folder).sort()).toEqual(['index.html', 'mine.txt', 'pictures']);
    expect((await programs().findOneByOrFail({ id })).buyers).toEqual([]);
    await admin('cxsc', { id: String(id) });
  });

  it('requests an address of the site itself', async () => {
    const { port } = panel.get(SitesServer);
    const steps = [
      { cz: 'setwj', ml: '/', name: 'asked.html', nr: '[sf_title:json]' },
      { cz: 'gettj', url: `[sf_domain]:${port}/asked.html`, get: '' },
    ];
    const { id } = await add({ cxname: 'Asks itself', bdf: JSON.stringify(FORM), czf: JSON.stringify(steps) }, FILES);
    expect(await owner.call('yjbs', { id: String(id), ...answers, title: '"</script>' })).toMatchObject({ success: true });
    await settled();
    expect(readFileSync(join(folder, 'asked.html'), 'utf8')).toBe('\\"\\u003c/script>');
    const [row] = (await owner.call('listbsjl')).rows as Record<string, string>[];
    await owner.call('bsht', { bs: row!.bs! });
    await settled();
    await admin('cxsc', { id: String(id) });
  });

  it('requests no address except the site’s own', async () => {
    const port = String((elsewhere.address() as AddressInfo).port);
    const steps = [{ cz: 'gettj', url: `127.0.0.1:${port}/program.zip`, get: 'a=[cn_date]' }];
    const { id } = await add({ cxname: 'Asking', czf: JSON.stringify(steps) }, FILES);
    expect(String((await owner.call('yjbs', { id: String(id) })).code)).toContain('“127.0.0.1”不是本网站的域名');
    await settled();
    await admin('cxsc', { id: String(id) });
  });

  it('refuses what the server or package does not support, and says why', async () => {
    const needy = {
      cxname: 'Needy',
      cxwebkj: '999999',
      czf: JSON.stringify([
        { cz: 'drsql', ml: '/', name: 'a.sql' },
        { cz: 'setwjt', nr: '' },
      ]),
    };
    const { id } = await add(needy, { 'index.php': '<?php' });
    await panel.get(Database).repository(HostingAccount).update({ username: 'owner01' }, { webQuotaMb: 50 });
    const offered = ((await owner.call('deploy_list')).rows as Record<string, string>[]).find((row) => row.id === String(id));
    expect(offered).toMatchObject({ ks: 'false' });
    for (const why of ['999999 MB', '伪静态', 'PHP', '数据库']) expect(offered!.bz).toContain(why);
    for (const gn of ['yjbs', 'yjbsform'])
      expect(await owner.call(gn, { id: String(id) })).toMatchObject({ success: false, qk: 4, err: 'E_LIMIT' });
    await admin('cxkg', { id: String(id), kg: 'false' });
    expect(await owner.call('yjbs', { id: String(id) })).toMatchObject({ success: false, code: '禁止部署已经下架的程序' });
    await admin('cxsc', { id: String(id) });
  });

  it('exceeds the space of the package: the site is as before', async () => {
    const { id } = await add({ cxname: 'Large' }, { 'large.bin': 'x'.repeat(3 * 1_048_576) });
    const accounts = panel.get(Database).repository(HostingAccount);
    await accounts.update({ username: 'owner01' }, { webQuotaMb: 2 });
    expect(await owner.call('yjbs', { id: String(id) })).toMatchObject({ success: false });
    await settled();
    expect(readdirSync(folder).sort()).toEqual(['index.html', 'mine.txt', 'pictures']);
    await accounts.update({ username: 'owner01' }, { webQuotaMb: 100 });
    await admin('cxsc', { id: String(id) });
  });

  it('needs its archive, and says so when it is gone', async () => {
    const { id } = await add({ cxname: 'Gone' }, FILES);
    const { archivePath } = await programs().findOneByOrFail({ id });
    rmSync(join(panel.dataDir, archivePath));
    expect(await owner.call('yjbs', { id: String(id) })).toMatchObject({ success: false });
    await settled();
    expect(existsSync(join(folder, 'mine.txt'))).toBe(true);
    await programs().update({ id }, { archivePath: '../../../../etc/passwd' });
    expect(await owner.call('yjbs', { id: String(id) })).toMatchObject({ success: false });
    await settled();
    await admin('cxsc', { id: String(id) });
  });

  it('is done one at a time, even from two tabs', async () => {
    const both = await Promise.all([0, 1, 2].map(() => owner.call('yjbs', { id: starter, ...answers })));
    expect(both.filter(({ success }) => success === true)).toHaveLength(1);
    expect(both.filter(({ success }) => success === false)).toMatchObject([{ err: 'E_BUSY' }, { err: 'E_BUSY' }]);
    await settled();
  });

  it('is tried by administrators before it is offered, and needs payment from owners', async () => {
    const { id } = await add({ cxname: 'Paid', cxrmb: '12.5', kg: 'false' }, FILES);
    expect(await admin('cxyl', { id: stranger.id, bs: String(id) })).toMatchObject({ success: true });
    expect(readdirSync(await folderOf('stranger1'))).toContain('site.css');
    expect(await admin('cxyl', { id: '9999', bs: String(id) })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    await admin('cxkg', { id: String(id), kg: 'true' });
    expect(await owner.call('yjbs', { id: String(id) })).toMatchObject({ success: false, err: 'E_PAY', code: '您未购买该程序' });
    const row = { programId: id, accountId: Number(owner.id), orderId: null, createdAt: new Date() };
    await panel.get(Database).repository(ProgramPurchase).insert(row);
    expect(await owner.call('yjbs', { id: String(id) })).toMatchObject({ success: true });
    // A new owner of a deleted host's name has bought nothing.
    await admin('zjsc', { id: owner.id });
    await expect.poll(() => panel.get(Database).repository(ProgramPurchase).countBy({ programId: id })).toBe(0);
  });
});
