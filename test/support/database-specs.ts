import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const DATABASE = join(ROOT, 'test/support/database.ts');
const FOLDERS = ['src', 'test', 'agent'];

/**
 * Specs whose database is only the scenery: bodies of requests, memory, log, signals, agents, documents, pages, plugin code, files of sites
 * and of plugins and what becomes of them when a process is killed, the currency, authorities of certificates and what people try at a
 * login page know nothing of its engine, and these are among the slowest. What they ask of it, others ask too: killed in the middle of a
 * transaction are orders, credit, renewals, receipts, names and hosts.
 */
const SAME_ON_EVERY_ENGINE = new Set(
  [
    'adoption-crash',
    'certificates',
    'certificates-pebble',
    'currency',
    'dns/dns-crash',
    'driver-contract',
    'faults/F01-memory-for-strangers',
    'faults/F02-lock-out-of-others',
    'faults/F05-upload-budget-by-declared-length',
    'faults/F11-slow-uploads',
    'faults/F12-public-but-not-exposed',
    'faults/F13-shutdown',
    'faults/F15-fifo-in-a-site',
    'faults/F16-default-password-at-every-start',
    'faults/P02-callbacks-that-hang',
    'faults/P03-safe-mode-and-quarantine',
    'faults/P03-starts-that-hang-or-crash',
    'faults/P05-nest-plugin-with-a-bundler',
    'faults/P06-stalls-and-counters',
    'faults/P07-code-that-is-no-commonjs',
    'faults/P11-packages-no-panel-installs',
    'faults/P12-log-of-a-noisy-plugin',
    'faults/P13-upgrade-by-replacing-files',
    'faults/P14-silently-accepted',
    'faults/W05-requires-mnbt',
    'faults/W09-config-of-older-agents',
    'file-crash',
    'full-disk',
    'hosting-agreement-files',
    'idle-hosts-crash',
    'main-job',
    'node/agent-away',
    'node/agent-crash',
    'node/agent-hosting',
    'node/agent-panel',
    'node/server-install',
    'node/wordpress',
    'page-weights',
    'plugins/author-dev',
    'plugins/author-test-kit',
    'plugins/author-tool',
    'plugins/cycles',
    'plugins/failures',
    'plugins/late-failures',
    'plugins/store-crash',
    'programs-baota',
    'programs-crash',
    'quarantine-crash',
    'recycle-bin-crash',
    'repairs-crash',
    'security/host-log',
    'security/panel-keys',
    'security/sign-in',
    'sign-in',
    'site-backups-crash',
    'site-backups-parts',
    'site-programs',
    'store/description',
    'store/front-end',
    'store/package-view',
    'store/pages',
    'store/services',
    'svc/commands',
    'svc/prepared-restore',
    'svc/restore-files',
    'without-packages',
  ].map((name) => `test/${name}.spec.ts`),
);

/**
 * The specs that open a database, by their imports: they reach test/support/database.ts, mostly through other support. The rest is the
 * same on every engine and need not run twice.
 */
export function databaseSpecs(): string[] {
  const known = new Map<string, boolean>();
  const reaches = (file: string): boolean => {
    const answer = known.get(file);
    if (answer !== undefined) return answer;
    known.set(file, file === DATABASE);
    const found = file === DATABASE || supportsOf(file).some(reaches);
    known.set(file, found);
    return found;
  };
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const missing = [...SAME_ON_EVERY_ENGINE].filter((file) => !files.includes(file));
  if (missing.length > 0) throw new Error(`Not there any more, take it off the list: ${missing.join(', ')}`);
  return files.filter((file) => file.endsWith('.spec.ts') && !SAME_ON_EVERY_ENGINE.has(file) && reaches(join(ROOT, file)));
}

/** Files of tests that a file imports; those of the product open no database by themselves. */
function supportsOf(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)\.js'/g);
  return [...imports]
    .map(([, path]) => join(dirname(file), `${path}.ts`))
    .filter((path) => /[/\\](support|testing)[/\\]|\.spec\.ts$/.test(path) && existsSync(path));
}
