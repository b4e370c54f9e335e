/**
 * Cost of plugins: enabling and disabling one, and the memory that leaves behind; a start with 200 enabled plugins, and the share of their
 * menus and widgets in a page; a package of 5 MB from its ZIP, and from the store, to its first answer. Run: `npm run bench:plugins`, on an
 * otherwise idle machine; CYCLES, PLUGINS, PAGES and MEGABYTES change the amounts.
 * Besides wall-clock times it shows the processor time of the whole process. Pages are compared by it: the dashboard with all plugins and,
 * earlier in the same run, with none.
 */
import 'reflect-metadata';

import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { ZipFile } from 'yazl';

import { startPanel } from '#dist/src/app/bootstrap.js';
import { AppConfig, DEFAULT_ADMIN_PASSWORD } from '#dist/src/config/index.js';
import { Database } from '#dist/src/database/index.js';
import { PluginRegistry } from '#dist/src/plugin-registry/index.js';
import { PackageCheck } from '#dist/src/plugin-store/package-check.js';
import { PackageExchange } from '#dist/src/plugin-store/package-exchange.js';
import { StoreSessions } from '#dist/src/store/accounts/store-sessions.js';
import { StoreUser } from '#dist/src/store/index.js';
import { median, printBars, printTable } from './measure.mjs';
import { operate } from './servers/process.mjs';
import { jsonOf } from './typed.mjs';

/** @import { Panel } from '#dist/src/app/bootstrap.js' */

const CYCLES = Number(process.env.CYCLES ?? 300);
const PLUGINS = Number(process.env.PLUGINS ?? 200);
const PAGES = Number(process.env.PAGES ?? 100);
const MEGABYTES = Number(process.env.MEGABYTES ?? 5);
/** Bytes a cycle may leave behind: the limit of a test over 1,000 cycles. */
const MAX_BYTES_PER_CYCLE = 2 * 1024;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-plugins-'));
const config = new AppConfig({ DATA_DIR: folder, PORT: '0', SITES_PORT: '0', RATE_LIMIT: 'off', CAPTCHA: 'off' });

/** A plugin with one route, operation, page, menu entry and widget, and listeners. */
const codeOf = (slug) => `module.exports = (svc) => {
  svc.svc_register_route('GET', '/${slug}', () => 'here');
  svc.svc_register_ajax('admin', 'p_${slug}', () => ({ code: 'ok' }), 'admin');
  svc.svc_add_action('order.paid', () => {}, 10, { id: 'paid' });
  svc.svc_add_action('menu.admin', () => {});
  svc.svc_register_page('admin', 'index', () => '<p>here</p>', 'Page');
  svc.svc_register_menu('admin', { title: '${slug}', page: 'index' });
  svc.svc_register_widget('admin', 'main', () => ({ title: '${slug}', html: '<p>here</p>', width: 4 }));
};\n`;

function write(slug) {
  const place = join(folder, 'plugins', slug);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'plugin.json'), JSON.stringify({ id: slug, name: slug, version: '1.0.0' }));
  writeFileSync(join(place, 'index.js'), codeOf(slug));
}

/** Creates a ZIP with incompressible files of half a megabyte each. */
async function zipOf(slug, megabytes) {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify({ id: slug, name: slug, version: '1.0.0' })), `${slug}/plugin.json`);
  zip.addBuffer(Buffer.from(codeOf(slug)), `${slug}/index.js`);
  for (let at = 0; at < megabytes * 2; at += 1) zip.addBuffer(randomBytes(512 * 1024), `${slug}/assets/${at}.bin`);
  zip.end();
  const path = join(folder, `${slug}.zip`);
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

/** Measures some work in milliseconds, wall-clock and processor time. */
async function timed(work) {
  const before = process.cpuUsage();
  const began = performance.now();
  const result = await work();
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  return { took, cpu: (user + system) / 1_000, result };
}
/**
 * @template T
 * @param {Panel} panel
 * @param {import('@nestjs/common').Type<T>} provider
 */
const of = (panel, provider) => panel.app.get(provider, { strict: false });

async function heapUsed() {
  for (let round = 0; round < 4; round += 1) {
    collectGarbage();
    await pause(50);
  }
  return process.memoryUsage().heapUsed;
}

/** Signs in as administrator. @param {Panel} panel @returns the request headers */
async function signedIn(panel) {
  const body = new URLSearchParams({ gn: 'login', user: 'admin', pass: DEFAULT_ADMIN_PASSWORD });
  const answer = await fetch(`${panel.url}/admin/ajax.php`, { method: 'POST', body });
  return { cookie: answer.headers.getSetCookie()[0].split(';')[0] };
}

/** Measures the processor time of the dashboard, from request to last byte, and returns its text. @param {Panel} panel */
async function dashboard(panel) {
  const url = `${panel.url}/admin/`;
  const headers = await signedIn(panel);
  // Compressed, as browsers request it; not decompressed, since that is no work of the panel.
  const options = { headers: { ...headers, 'accept-encoding': 'gzip' } };
  const ask = () => new Promise((resolve, reject) => get(url, options, (answer) => answer.on('end', resolve).resume()).on('error', reject));
  const times = [];
  for (let at = 0; at < PAGES * 1.5; at += 1) times.push((await timed(ask)).cpu);
  return { cpu: median(times.slice(PAGES / 2)), text: await (await fetch(url, { headers })).text() };
}

/**
 * Returns a client of the panel's store with an account of its own.
 * @param {Panel} panel
 * @param {string} username
 * @param {StoreUser['role']} role
 */
async function storeMember(panel, username, role) {
  const key = username.toLowerCase();
  const email = `${key}@example.com`;
  const now = new Date();
  const more = { usernameKey: key, emailKey: email, passwordHash: 'x', avatar: '', bio: '' };
  const rows = of(panel, Database).repository(StoreUser);
  const { id } = await rows.save(rows.create({ username, email, role, status: 'active', ...more, createdAt: now, updatedAt: now }));
  const headers = { cookie: `connect.sid=${(await of(panel, StoreSessions).open(id, { ip: '127.0.0.1', userAgent: 'bench' })).token}` };
  return async (method, path, body) => {
    const answer = await fetch(`${panel.url}/api${path}`, { method, body, headers });
    if (!answer.ok) throw new Error(await answer.text());
    return (await jsonOf(answer)).data;
  };
}

/** Submits a package to the panel's own store, and approves it. @param {Panel} panel @param {string} slug */
async function publish(panel, slug) {
  const path = await zipOf(slug, MEGABYTES);
  const author = await storeMember(panel, 'Alice', 'developer');
  const reviewer = await storeMember(panel, 'Root', 'admin');
  const form = new FormData();
  const fields = { type: 'plugin', slug, name: slug, version: '1.0.0', description: '<p>What it does</p>' };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('zipfile', new Blob([readFileSync(path)]), `${slug}.zip`);
  const { id } = await author('POST', '/developer/items', form);
  await reviewer('PUT', `/admin/items/${id}/approve`);
}

/** Waits until a plugin answers, for at most half a minute. @param {Panel} panel @param {string} slug */
async function answers(panel, slug) {
  const began = performance.now();
  while ((await (await fetch(`${panel.url}/${slug}`)).text()) !== 'here') {
    if (performance.now() - began > 30_000) throw new Error(`The plugin ${slug} does not answer.`);
    // Not more often: until then each answer is a whole page.
    await pause(50);
  }
}

try {
  let panel = await startPanel(config);
  let plugins = of(panel, PluginRegistry);
  write('cycled');
  const cycles = async (count) => {
    const times = [];
    for (let round = 0; round < count; round += 1) {
      const { took } = await timed(async () => {
        await plugins.enable('cycled');
        await plugins.disable('cycled');
      });
      times.push(took);
    }
    return times;
  };
  // Fills the caches of Node, Nest and the database driver first.
  await cycles(CYCLES);
  const heapBefore = await heapUsed();
  const cycled = await timed(() => cycles(CYCLES));
  const bytes = ((await heapUsed()) - heapBefore) / CYCLES;

  const path = await zipOf('packed', MEGABYTES);
  const packed = await timed(async () => {
    await of(panel, PackageExchange).put(await of(panel, PackageCheck).ofUpload(path), { store: '', order: 'bench' });
    await answers(panel, 'packed');
  });
  await publish(panel, 'stored');
  const { cookie } = await signedIn(panel);
  const stored = await timed(async () => {
    const body = new URLSearchParams({ gn: 'plugin_store_install', slug: 'stored' });
    const { success, ...rest } = await operate({ url: panel.url, cookie }, body);
    if (!success) throw new Error(JSON.stringify(rest));
    await answers(panel, 'stored');
  });

  for (const slug of ['packed', 'stored']) await plugins.disable(slug);
  const withNone = await timed(async () => {
    await panel.close();
    panel = await startPanel(config);
  });
  plugins = of(panel, PluginRegistry);
  const plain = await dashboard(panel);
  for (let at = 0; at < PLUGINS; at += 1) {
    write(`many_${at}`);
    await plugins.enable(`many_${at}`);
  }
  await panel.close();
  const withAll = await timed(async () => (panel = await startPanel(config)));
  await answers(panel, `many_${PLUGINS - 1}`);
  const full = await dashboard(panel);
  const shown = full.text.split('<p>here</p>').length - 1;
  if (shown !== PLUGINS) throw new Error(`The dashboard shows ${shown} widgets.`);
  await panel.close();

  const row = (what, { took, cpu }, count = 1) => [what, `${(took / count).toFixed(1)} ms`, `${(cpu / count).toFixed(1)} ms`];
  printTable(
    ['', 'clock', 'processor'],
    [
      row('a plugin enabled and disabled (mean)', cycled, CYCLES),
      row(`a package of ${MEGABYTES} MB from its ZIP`, packed),
      row(`a package of ${MEGABYTES} MB from the store, which this process is too`, stored),
      row('an end and a start with none', withNone),
      row(`a start with ${PLUGINS}`, withAll),
      ['a dashboard with none', '', `${plain.cpu.toFixed(1)} ms`],
      [`a dashboard with ${PLUGINS}`, '', `${full.cpu.toFixed(1)} ms`],
    ],
  );
  printBars([
    { claim: 'a plugin enabled and disabled (median)', value: median(cycled.result), limit: 10, unit: 'ms' },
    { claim: 'what such a cycle leaves in memory', value: Math.max(0, bytes), limit: MAX_BYTES_PER_CYCLE, unit: 'bytes' },
    { claim: `a start with ${PLUGINS} plugins`, value: withAll.took, limit: 6_000, unit: 'ms' },
    { claim: `menus and widgets of ${PLUGINS} in a page: processor time`, value: full.cpu - plain.cpu, limit: 10, unit: 'ms' },
    { claim: `a package of ${MEGABYTES} MB, from its ZIP to its first answer`, value: packed.took, limit: 2_000, unit: 'ms' },
    { claim: `a package of ${MEGABYTES} MB, from the store to its first answer`, value: stored.took, limit: 2_000, unit: 'ms' },
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
