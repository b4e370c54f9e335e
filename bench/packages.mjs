// Cost of an uploaded package: time and memory of accepting and rejecting packages near the limits, each in a process of its own, compared
// with unzipper reading the same bytes without any rules.
// npm run build && node bench/packages.mjs
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

import yazl from 'yazl';

import { printBars, printTable } from './measure.mjs';

const MB = 1024 * 1024;
const code = Buffer.from(
  Array.from({ length: 3_000 }, (_, i) => `const value${i} = compute(${i}, 'text ${i}'); // a line of code\n`).join(''),
);
const fill = (size, block) => Buffer.alloc(size, block);

/** @typedef {{ files: () => Buffer[], compress?: boolean, spoil?: (bytes: Buffer) => Buffer }} Recipe */

/** Files of each package; `spoil` modifies the finished bytes. @type {Record<string, Recipe>} */
const PACKAGES = {
  '50 MB, incompressible': { files: () => Array.from({ length: 5 }, () => randomBytes(9.9 * MB)), compress: false },
  '200 MB of zeros, unpacked': { files: () => Array.from({ length: 20 }, () => fill(10 * MB, 0)) },
  '500 small files of code': { files: () => Array.from({ length: 500 }, () => code.subarray(0, 8_000)) },
  '40 MB of code': { files: () => Array.from({ length: 5 }, () => fill(8 * MB, code)) },
  '50 MB, last file damaged': {
    files: () => Array.from({ length: 5 }, () => randomBytes(9.9 * MB)),
    compress: false,
    spoil: (bytes) => ((bytes[45 * MB] ^= 1), bytes),
  },
  '200 MB of zeros, one too much': { files: () => [...Array.from({ length: 20 }, () => fill(10 * MB, 0)), Buffer.from('x')] },
};

/** @param {string} path @param {Recipe} recipe */
async function write(path, { files, compress = true, spoil }) {
  const zip = new yazl.ZipFile();
  for (const [i, content] of files().entries()) zip.addBuffer(content, `demo/${i}.js`, { compress });
  zip.end();
  const chunks = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  writeFileSync(path, spoil ? spoil(bytes) : bytes);
}

/** What every package is submitted as. */
const FORM = { type: /** @type {const} */ ('plugin'), slug: 'demo' };
const TASKS = {
  async receive(path, folder) {
    const { IncomingPackages } = await import('#dist/src/store/packages/index.js');
    const incoming = new IncomingPackages(folder);
    return async () => (await incoming.discard(await incoming.receive(createReadStream(path))), 'received');
  },
  async read(path) {
    const { readPackage } = await import('#dist/src/store/packages/index.js');
    return () =>
      readPackage(path, FORM).then(
        () => 'accepted',
        (error) => error.code,
      );
  },
  async findings(path) {
    const { readPackage, findProblems } = await import('#dist/src/store/packages/index.js');
    const found = await readPackage(path, FORM).catch(() => null);
    return async () => (found ? `${(await findProblems(found.contents, FORM, found.manifest)).length} findings` : '-');
  },
  async unzipper(path) {
    const { Open } = await import('unzipper');
    return async () => {
      for (const file of (await Open.file(path)).files) await pipeline(file.stream(), createWriteStream('/dev/null'));
      return 'read';
    };
  },
};

/**
 * Runs one task in this process and reports milliseconds, growth of the resident set in MB, and the longest pause of the event loop in ms.
 */
async function child(task, path, folder) {
  const run = await TASKS[task](path, folder);
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  let pause = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    pause = Math.max(pause, performance.now() - last - 1);
    last = performance.now();
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 1);
  const started = performance.now();
  const outcome = await run();
  const took = performance.now() - started;
  clearInterval(timer);
  process.send({ outcome, took, grown: (Math.max(peak, process.memoryUsage.rss()) - before) / MB, pause });
}

if (process.send) {
  await child(...process.argv.slice(2));
  process.disconnect();
} else {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-packages-'));
  const rows = [];
  const results = [];
  try {
    for (const [name, recipe] of Object.entries(PACKAGES)) {
      const path = join(folder, 'package.zip');
      await write(path, recipe);
      for (const task of Object.keys(TASKS)) {
        const process_ = fork(fileURLToPath(import.meta.url), [task, path, join(folder, 'incoming')]);
        const exited = once(process_, 'exit');
        const [result] = await Promise.race([
          once(process_, 'message'),
          exited.then(() => [{ outcome: 'failed', took: NaN, grown: NaN, pause: NaN }]),
        ]);
        await exited;
        results.push({ name, task, ...result });
        const size = `${(statSync(path).size / MB).toFixed(1)} MB`;
        rows.push([
          name,
          size,
          task,
          result.outcome,
          `${result.took.toFixed(0)} ms`,
          `${result.grown.toFixed(0)} MB`,
          `${result.pause.toFixed(0)} ms`,
        ]);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  printTable(['package', 'ZIP', 'task', 'outcome', 'time', 'memory', 'longest pause'], rows);
  const own = results.filter(({ task }) => task !== 'unzipper');
  const refused = own.filter(({ task, outcome }) => task === 'read' && outcome !== 'accepted');
  printBars([
    { claim: 'slowest refusal', value: Math.max(...refused.map(({ took }) => took)), limit: 2_000, unit: 'ms' },
    {
      claim: 'most memory of receiving or reading',
      value: Math.max(...own.filter(({ task }) => task !== 'findings').map(({ grown }) => grown)),
      limit: 50,
      unit: 'MB',
    },
    {
      claim: 'most memory of findings',
      value: Math.max(...own.filter(({ task }) => task === 'findings').map(({ grown }) => grown)),
      limit: 100,
      unit: 'MB',
    },
  ]);
}
