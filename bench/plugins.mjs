/**
 * What plugins cost: one that is enabled and disabled, a start with 200 enabled ones, and a package of 5 MB from its ZIP to its first
 * answer. Run: `npm run bench:plugins`; CYCLES, PLUGINS and MEGABYTES change how much.
 */
import 'reflect-metadata';

import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { ZipFile } from 'yazl';

import { startPanel } from '../dist/src/app/bootstrap.js';
import { AppConfig } from '../dist/src/config/index.js';
import { PluginRegistry } from '../dist/src/plugin-registry/index.js';
import { PackageCheck } from '../dist/src/plugin-store/package-check.js';
import { PackageExchange } from '../dist/src/plugin-store/package-exchange.js';
import { median, printBars } from './measure.mjs';

const CYCLES = Number(process.env.CYCLES ?? 300);
const PLUGINS = Number(process.env.PLUGINS ?? 200);
const MEGABYTES = Number(process.env.MEGABYTES ?? 5);
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-plugins-'));
const config = new AppConfig({
  DATA_DIR: folder,
  PORT: '0',
  SITES_PORT: '0',
  RATE_LIMIT: 'off',
  SERVICES: 'panel,worker',
});

/** A plugin with a route, an operation, a listener and a page, as most have. */
const codeOf = (slug) => `module.exports = (svc) => {
  svc.svc_register_route('GET', '/${slug}', () => 'here');
  svc.svc_register_ajax('admin', 'p_${slug}', () => ({ code: 'ok' }), 'admin');
  svc.svc_add_action('order.paid', () => {}, 10, { id: 'paid' });
  svc.svc_register_page('admin', 'index', () => '<p>here</p>', 'Page');
  svc.svc_register_menu('admin', { title: '${slug}', page: 'index' });
};\n`;

function write(slug) {
  const place = join(folder, 'plugins', slug);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'plugin.json'), JSON.stringify({ id: slug, name: slug, version: '1.0.0' }));
  writeFileSync(join(place, 'index.js'), codeOf(slug));
}

/** A ZIP whose files cannot be packed smaller, each of half a megabyte. */
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

const timed = async (work) => {
  const began = performance.now();
  const result = await work();
  return [performance.now() - began, result];
};
const of = (panel, provider) => panel.app.get(provider, { strict: false });

try {
  let panel = await startPanel(config);
  let plugins = of(panel, PluginRegistry);
  write('cycled');
  const times = [];
  let cpu = process.cpuUsage();
  for (let round = 0; round < CYCLES * 1.2; round += 1) {
    if (round === Math.ceil(CYCLES * 0.2)) cpu = process.cpuUsage();
    const [took] = await timed(async () => {
      await plugins.enable('cycled');
      await plugins.disable('cycled');
    });
    if (round >= CYCLES * 0.2) times.push(took);
  }
  const { user, system } = process.cpuUsage(cpu);
  const path = await zipOf('packed', MEGABYTES);
  const [installed] = await timed(async () => {
    await of(panel, PackageExchange).put(await of(panel, PackageCheck).ofUpload(path), { store: '' });
    if ((await (await fetch(`${panel.url}/packed`)).text()) !== 'here') throw new Error('The plugin does not answer.');
  });
  const [withoutPlugins] = await timed(async () => {
    await panel.close();
    panel = await startPanel(config);
  });
  plugins = of(panel, PluginRegistry);
  for (let at = 0; at < PLUGINS; at += 1) {
    write(`many_${at}`);
    await plugins.enable(`many_${at}`);
  }
  await panel.close();
  const [started, again] = await timed(() => startPanel(config));
  if ((await fetch(`${again.url}/many_${PLUGINS - 1}`)).status !== 200) throw new Error('A plugin did not start.');
  await again.close();
  console.log(`processor time of a cycle, all threads: ${((user + system) / 1_000 / times.length).toFixed(1)} ms`);
  console.log(`started anew without them in ${withoutPlugins.toFixed(0)} ms, its end among it`);
  printBars([
    { claim: 'a plugin enabled and disabled (median)', value: median(times), limit: 10, unit: 'ms' },
    { claim: `a start with ${PLUGINS} plugins`, value: started, limit: 6_000, unit: 'ms' },
    { claim: `a package of ${MEGABYTES} MB, from its ZIP to its first answer`, value: installed, limit: 2_000, unit: 'ms' },
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
