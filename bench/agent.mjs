/**
 * The agent's search for forbidden words against the naive loop: lower case, then `includes` word by word. Same files, same words, same
 * run. Run: `npm run bench:agent`.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build } from 'esbuild';

import { median, printBars, printTable } from './measure.mjs';

/** Modules of the agent under measurement. */
const MEASURED = [
  'config/parse-config',
  'log',
  'scan/forbidden-scan',
  'scan/scan-request',
  'search/keyword-matcher',
  'search/search-bytes',
];

const FILES = 2_000;
const ROUNDS = 3;
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-bench-agent-')));
const root = join(folder, 'sites');
const bundle = join(folder, 'agent.mjs');
await build({
  stdin: { contents: MEASURED.map((module) => `export * from './agent/src/${module}.js';`).join('\n'), resolveDir: '.' },
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node18',
});
/**
 * @type {typeof import('../agent/src/config/parse-config.js') & typeof import('../agent/src/log.js')
 *   & typeof import('../agent/src/scan/forbidden-scan.js') & typeof import('../agent/src/scan/scan-request.js')
 *   & typeof import('../agent/src/search/keyword-matcher.js') & typeof import('../agent/src/search/search-bytes.js')}
 */
const { ForbiddenScan, KeywordMatcher, Log, parseConfig, readScanRequest, searchBytes } = await import(pathToFileURL(bundle).href);

/** Deterministic across runs. */
let seed = 42;
function random(below) {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return (seed >>> 8) % below;
}

const VOCABULARY = Array.from({ length: 3_000 }, () =>
  Array.from({ length: 2 + random(8) }, () => String.fromCharCode(97 + random(26))).join(''),
);
const HAN = Array.from({ length: 2_500 }, () => String.fromCharCode(0x4e00 + random(6_000)));
const pick = (list) => list[random(list.length)];
const keywords = Array.from({ length: 1_000 }, (_, i) =>
  i % 4 === 0 ? `${pick(VOCABULARY)}${pick(VOCABULARY)}` : Array.from({ length: 2 + random(4) }, () => pick(HAN)).join(''),
);

/** Source code with Chinese texts, like real sites; every fiftieth file contains a word. */
function page(i) {
  const lines = [];
  for (let line = 20 + random(400); line > 0; line--) {
    lines.push(
      random(5) === 0
        ? `  echo "${Array.from({ length: 20 }, () => pick(HAN)).join('')}";`
        : `  $${pick(VOCABULARY)} = ${pick(VOCABULARY)}('${pick(VOCABULARY)}', ${random(1_000)}); // ${pick(VOCABULARY)}`,
    );
  }
  if (i % 50 === 0) lines.splice(random(lines.length), 0, keywords[random(keywords.length)]);
  return `<?php\n${lines.join('\n')}\n`;
}

/** @returns {Promise<{ seconds: number, found: number }>} */
async function timed(run) {
  const start = process.hrtime.bigint();
  const found = await run();
  return { seconds: Number(process.hrtime.bigint() - start) / 1e9, found };
}

try {
  for (let i = 0; i < FILES; i++) {
    const site = join(root, `site${i % 20}`);
    mkdirSync(site, { recursive: true });
    writeFileSync(join(site, `${i}.php`), page(i));
  }
  mkdirSync(join(folder, 'index'));
  const files = readdirSync(root).flatMap((site) => readdirSync(join(root, site)).map((name) => join(root, site, name)));
  const contents = files.map((file) => readFileSync(file));
  const megabytes = contents.reduce((sum, bytes) => sum + bytes.length, 0) / 1e6;
  const { config } = parseConfig(
    JSON.stringify({ svc_url: 'http://127.0.0.1', platform_secret: 'p', node_id: 'n', node_secret: 's' }),
    folder,
  );
  const lowered = keywords.map((word) => word.toLowerCase());
  const matcher = new KeywordMatcher(keywords);

  const scan = (payload) => async () => {
    const request = await readScanRequest({ root, keywords, max_matches: 5_000, ...payload }, config, null);
    const run = new ForbiddenScan(request, { indexFolder: join(folder, 'index'), log: new Log('ERROR') });
    const { summary } = /** @type {{ summary: { matches: number } }} */ (await run.run());
    await run.keepIndex();
    return summary.matches;
  };
  const candidates = {
    'word by word, in memory': () =>
      contents.reduce((sum, bytes) => {
        const text = bytes.toString('utf8').toLowerCase();
        return sum + lowered.filter((word) => text.includes(word)).length;
      }, 0),
    'agent, in memory': async () => {
      let sum = 0;
      for (const bytes of contents) sum += new Set((await searchBytes(matcher, bytes, 5_000)).map(({ keyword }) => keyword)).size;
      return sum;
    },
    'agent, full scan of the folder': scan({ scan_mode: 'full' }),
    'agent, nothing changed': scan({ scan_mode: 'incremental' }),
  };
  const seconds = new Map(Object.keys(candidates).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries(candidates)) seconds.get(name).push((await timed(run)).seconds);
  }
  const [words, memory] = [await candidates['word by word, in memory'](), await candidates['agent, in memory']()];
  if (words !== memory) throw new Error(`They disagree: ${words} and ${memory} words`);

  process.stdout.write(`${FILES} files, ${megabytes.toFixed(1)} MB, ${keywords.length} words, ${words} found\n\n`);
  const rows = [...seconds].map(([name, rounds]) => [
    name,
    (megabytes / median(rounds)).toFixed(1),
    Math.round(FILES / median(rounds)).toLocaleString('en'),
  ]);
  printTable(['', 'MB/s', 'files/s'], rows);
  const ratio = (a, b) => median(seconds.get(a).map((value, i) => value / seconds.get(b)[i]));
  printBars([
    {
      claim: 'one pass against word by word',
      value: ratio('word by word, in memory', 'agent, in memory'),
      limit: 5,
      atLeast: true,
      unit: 'x as fast',
    },
    {
      claim: 'nothing changed against a full scan',
      value: ratio('agent, full scan of the folder', 'agent, nothing changed'),
      limit: 2,
      atLeast: true,
      unit: 'x as fast',
    },
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
