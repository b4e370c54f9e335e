import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { specNamed, SPECS } from './spec-files.js';

const ROOT = resolve(import.meta.dirname, '../..');
const DATABASE = join(ROOT, 'test/support/database.ts');

/**
 * Specs whose assertions do not depend on the database engine: they test request bodies, signatures, memory, the log, signals, agents and
 * drivers, documents, pages and their texts, code of plugins, or files. Every statement they send is also sent by a spec that runs on both
 * engines (measured per file with the statements mysql2 received); kills in the middle of a transaction are tested there with orders,
 * credit, renewals, receipts, names and hosts. Specs that lock, count, sort, compare, convert or migrate rows do not belong here.
 */
const SAME_ON_EVERY_ENGINE = new Set(
  [
    'adoption-crash',
    'baota-disk',
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
    'plugins/author-journey',
    'plugins/author-test-kit',
    'plugins/author-tool',
    'plugins/cycles',
    'plugins/failures',
    'plugins/late-failures',
    'plugins/package-uploads',
    'plugins/store-crash',
    'programs-baota',
    'programs-crash',
    'quarantine-crash',
    'recycle-bin-crash',
    'repairs-crash',
    'security/entry',
    'security/host-log',
    'security/panel-keys',
    'security/sign-in',
    'sign-in',
    'silent-server',
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
    // Foreign servers, and two machines with an agent each.
    'baota-client',
    'dns/powerdns',
    'node/agent-moves',
    // Wire formats and signatures of gateways; the effect of a notification on rows is tested in src/payment and the crash specs.
    'faults/F17-sandbox-signatures',
    'gateways/alipay',
    'gateways/stripe',
    'gateways/wechatpay',
    // Code of plugins: what it may call, return and leave behind.
    'hooks',
    'plugins/author-keys',
    'plugins/dns-drivers',
    'plugins/hosting-shop',
    'plugins/kinds',
    'plugins/life-cycle',
    'plugins/own-accounts',
    'plugins/permissions',
    'faults/P04-nothing-of-a-disabled-plugin-lives-on',
    'faults/P09-listeners-of-a-stopped-plugin',
    'faults/P10-order-across-hooks',
    'faults/P14-payment-methods',
    'plugins/examples',
    'plugins/filing',
    'plugins/gateways',
    'plugins/lists',
    'plugins/operations',
    'plugins/services',
    'plugins/site',
    'plugins/upgrade-under-load',
    // Rejected requests, and what they cost.
    'faults/F02-lock-out-of-others-store',
    'faults/F07-open-redirect',
    'faults/F10-work-besides-the-captcha',
    'faults/F14-node-secrets',
    'faults/F14-rate-classes',
    'faults/F21-garbage-for-bundled-plugins',
    'faults/U07-expired-customers-come-in',
    'faults/W07-one-click-with-captcha',
    'faults/W12-answers-without-effect',
    'store/author-publish',
    'store/security',
    // Pages, mails and texts.
    'dns/site-names',
    'faults/P16-hostile-themes',
    'faults/W01-dates-of-other-programs',
    'faults/W02-lifted-although-expired',
    'faults/W03-addresses-of-deployed-links',
    'faults/W06-keys-in-the-panel',
    'faults/W10-empty-scan-reports',
    'operation-names',
    '../src/hosting/files/file-view',
    '../src/hosting/web-settings/web-settings',
    '../src/pages/setup-guide',
    '../src/payment/gateways/payment-methods',
    '../src/site/secret-check',
    'faults/F09-email-as-markup',
    'faults/U09-words-for-people',
    '../src/app/metrics/metrics',
    '../src/app/panel-adapter',
    '../src/pages/route-entry',
    '../src/payment/gateways/method-limits',
    '../src/site/themes/themes',
  ].map((name) => specNamed(join('test', name))),
);

/**
 * Returns the specs that open a database: those that import test/support/database.ts, mostly through other support files. The others do not
 * depend on the engine and need not run twice.
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
  return SPECS.filter((file) => !SAME_ON_EVERY_ENGINE.has(file) && reaches(join(ROOT, file)));
}

/** Returns the support files that a file imports; product code does not open a database by itself. */
function supportsOf(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)\.js'/g);
  return [...imports]
    .map(([, path]) => join(dirname(file), `${path}.ts`))
    .filter((path) => /[/\\](support|testing)[/\\]|\.spec\.ts$/.test(path) && existsSync(path));
}
