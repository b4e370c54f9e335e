import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';

import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../src/common/index.js';

/** As configured for `npm run lint`. */
const OPTIONS = ['--type-aware', '--quiet', '--report-unused-disable-directives-severity=error'];

/** Every file in folders of the project, with its full path. */
const filesIn = (...folders: string[]): string[] =>
  folders
    .map((folder) => join(PACKAGE_ROOT, folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)));

interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
}
/** Dependencies that no file imports by name. */
const ELSEWHERE = [
  // The compiler imports it: `importHelpers` of tsconfig.build.json.
  'tslib',
  // Fonts of captchas, whose files src/auth/captcha-glyphs.ts reads.
  '@fontsource/comic-neue',
  '@fontsource/patrick-hand',
  '@fontsource/roboto-slab',
  '@fontsource/schoolbell',
];

/** A class created by Nest with this many dependencies. */
const classOf = (most: number): string =>
  `@Injectable()\nexport class X {\n  constructor(${Array.from({ length: most }, (_, at) => `readonly x${at}: string`).join(',\n')}) {}\n}`;

/** Code that does not run in the panel: build scripts, browser scripts, and the command for authors, which is its own package. */
const NOT_RUN = /\.mjs$|^src\/(?:cli\/author|web\/browser)\/|^plugins\/[^/]+\/browser\//;

/** An import or export of more than types; a package that is loaded on first use, or of which a file is read. */
const IMPORTS = [
  /^(?:im|ex)port (?!type )(?:(?!\{(?: type [^,}]+,?)+ \} from)[^;']*? from )?'([^']+)'/gm,
  /\b(?:import|whenUsed<[^;]+>|createRequire\(import\.meta\.url\)(?:\.resolve)?)\('([^']+)'/g,
];

/** The packages that project files import, each with the file. */
function packagesIn(files: readonly string[]): { file: string; name: string }[] {
  return files.flatMap((file) => {
    const code = readFileSync(join(PACKAGE_ROOT, file), 'utf8');
    const names = IMPORTS.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name]) => name!));
    return names
      .filter((name) => !/^(?:\.|\/|node:|@svc\/)/.test(name))
      .map((name) => ({ file, name: /^(?:@[^/]+\/)?[^/]+/.exec(name)![0] }));
  });
}

/** Files and folders below `source` that are siblings and import each other in a cycle, by path. */
function circlesIn(source: string): { circles: string[]; size: number } {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.spec)\.ts$/.test(name));
  /** The contents of a folder by path, with the siblings each imports. A file that assembles the folder may know all of it. */
  const known = new Map<string, Set<string>>();
  const isWhole = (name: string): boolean => name === 'index.ts' || name.endsWith('.module.ts');
  for (const file of files) {
    const own = file.split(sep);
    if (own.includes('testing')) continue;
    for (const [, path] of readFileSync(join(source, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const other = join(dirname(file), path!.replace(/\.js$/, '.ts')).split(sep);
      const at = own.findIndex((name, depth) => name !== other[depth]);
      if (isWhole(own[at]!) || isWhole(other[at]!)) continue;
      const [from, to] = [own, other].map((names) => names.slice(0, at + 1).join('/'));
      known.set(from!, (known.get(from!) ?? new Set()).add(to!));
    }
  }
  const circles = [...known.keys()].filter((start) => {
    const seen = new Set<string>();
    const walk = (name: string): boolean =>
      [...(known.get(name) ?? [])].some((next) => next === start || (!seen.has(next) && (seen.add(next), walk(next))));
    return walk(start);
  });
  return { circles, size: known.size };
}

/** Rules that keep the parts of the system apart; each line is a mistake someone could make. */
describe('the linter', () => {
  const eslint = new ESLint({ cwd: PACKAGE_ROOT });

  /** Names of the rules, and which message if a rule has several of our own. */
  async function rulesBrokenBy(file: string, code: string): Promise<string[]> {
    const [result] = await eslint.lintText(`${code}\n`, { filePath: `${PACKAGE_ROOT}/${file}` });
    return result!.messages.map(({ ruleId, messageId }) => (ruleId === 'walls/imports' ? `${ruleId} ${messageId}` : String(ruleId)));
  }

  it.each([
    [
      'an import that points up',
      'src/hooks/hook-frame.ts',
      "import { Orders } from '../payment/index.js';\nexport const x = Orders;",
      'walls/imports up',
    ],
    [
      'an import of a neighbour',
      'src/payment/day-range.ts',
      "import { HostingService } from '../hosting/index.js';\nexport const x = HostingService;",
      'walls/imports up',
    ],
    [
      'notices importing the business',
      'src/notify/notices.ts',
      "import { HostingService } from '../hosting/index.js';\nexport const x = HostingService;",
      'walls/imports up',
    ],
    [
      'the sdk importing the panel',
      'src/sdk/html.ts',
      "import { toYuan } from '../common/index.js';\nexport const x = toYuan;",
      'walls/imports up',
    ],
    [
      'business importing plugins',
      'src/hosting/hosting.service.ts',
      "import { PluginRegistry } from '../plugin-registry/index.js';\nexport const x = PluginRegistry;",
      'walls/imports up',
    ],
    ...['hosting', 'payment', 'agents', 'account', 'site', 'container', 'monitor', 'notify'].map((feature) => [
      `the store importing ${feature}`,
      'src/store/errors.ts',
      `import * as x from '../${feature}/index.js';\nexport { x };`,
      'walls/imports up',
    ]),
    [
      'the store importing operations',
      'src/store/items/edit-requests.ts',
      "import { OperationError } from '../../operations/index.js';\nexport const x = OperationError;",
      'walls/imports apart',
    ],
    [
      'an import past an index',
      'src/payment/day-range.ts',
      "import { Database } from '../database/database.js';\nexport const x = Database;",
      'walls/imports past',
    ],
    [
      'an import past the index of a part',
      'src/hosting/operations/host-list.ts',
      "import { AccountStore } from '../accounts/account-store.js';\nexport const x = AccountStore;",
      'walls/imports past',
    ],
    [
      'a part of the store importing past an index',
      'src/store/review/decisions.ts',
      "import { SlugClaims } from '../items/slug-claims.js';\nexport const x = SlugClaims;",
      'walls/imports past',
    ],
    [
      'a circle of parts of the store',
      'src/store/items/own-items.ts',
      "import { Decisions } from '../review/index.js';\nexport const x = Decisions;",
      'walls/imports up',
    ],
    [
      'a part of payment importing past an index',
      'src/payment/settlement/settlement.ts',
      "import { Orders } from '../orders/orders.js';\nexport const x = Orders;",
      'walls/imports past',
    ],
    [
      'a circle of parts of payment',
      'src/payment/orders/orders.ts',
      "import { PaymentRegistry } from '../gateways/index.js';\nexport const x = PaymentRegistry;",
      'walls/imports up',
    ],
    ['an export past the index of a part', 'src/agents/index.ts', "export * from './scans/scan-store.js';", 'walls/imports past'],
    [
      'a circle of parts',
      'src/hosting/wire/host-row.ts',
      "import { AccountStore } from '../accounts/index.js';\nexport const x = AccountStore;",
      'walls/imports up',
    ],
    ...[
      ['a part importing a file beside the parts that imports parts above it', 'entities/host.ts', '../expiry-plan.js'],
      ['a file beside the parts that is on no floor importing a part', 'loose.ts', './sites/index.js'],
      ['a file beside the parts importing a part above it', 'expiry-plan.ts', './moves/index.js'],
      ['a file beside the parts that is on no floor importing one that is', 'calendar.ts', './expiry-plan.js'],
      ['a part importing the module of its own feature', 'sites/site-creation.ts', '../hosting.module.js'],
    ].map(([mistake, file, name]) => [
      mistake!,
      `src/hosting/${file!}`,
      `import { x } from '${name!}';\nexport const y = x;`,
      'walls/imports up',
    ]),
    ...[
      ['src/hosting/hosting.module.ts', '../jobs/background/background-queue.js'],
      ['src/plugin-store/index.ts', '../plugin-registry/runtime/node-permits.js'],
      ['src/plugin-store/checks/check.ts', '../../plugin-registry/package/index.js'],
      ['src/monitor/checks/checks.ts', '../../operations/admission/admission.js'],
      ['src/cli/commands/restore.ts', '../../backup/archive/archive-reader.js'],
      ['src/app/app.module.ts', '../monitor/checks/checks.js'],
    ].map(([file, name]) => [
      `${file!} importing ${name!}, which is in a sub-folder of another feature`,
      file!,
      `import { x } from '${name!}';\nexport const y = x;`,
      'walls/imports past',
    ]),
    ...['/opt/panel/dist/src/hosting/index.js', 'file:///opt/panel/dist/src/hosting/index.js', 'data:text/javascript,', '#hosting'].flatMap(
      (name) => [
        [`an import of ${name}`, 'src/payment/day-range.ts', `import { x } from '${name}';\nexport const y = x;`, 'walls/imports absolute'],
        [
          `an import of ${name} at run time`,
          'src/payment/day-range.ts',
          `export const x = (): unknown => import('${name}');`,
          'walls/imports absolute',
        ],
      ],
    ),
    ...[
      'src/hosting/x.mjs',
      'src/hosting/x.js',
      'src/hosting/x.cjs',
      'src/hosting/x.mts',
      'src/hosting/x.cts',
      'src/hosting/x.tsx',
      'src/hosting/x.jsx',
      'src/web/browser/kit/x.mjs',
      'src/cli/commands/x.mjs',
      'plugins/sandbox/src/x.mts',
      'agent/src/x.mjs',
    ].map((file) => [`code that no wall surrounds: ${file}`, file, 'export const x = 1;', 'no-restricted-syntax']),
    [
      'a part of a folder importing up',
      'src/agents/scans/scan-store.ts',
      "import { PluginRegistry } from '../../plugin-registry/index.js';\nexport const x = PluginRegistry;",
      'walls/imports up',
    ],
    [
      'an import of the composition',
      'src/hosting/hosting.service.ts',
      "import { startPanel } from '../app/index.js';\nexport const x = startPanel;",
      'walls/imports up',
    ],
    [
      'an import at run time that points up',
      'src/hooks/hook-frame.ts',
      "export const x = import('../payment/index.js');",
      'walls/imports up',
    ],
    ['texts that a unit registers', 'src/payment/errors.ts', "import './texts.js';", 'walls/imports texts'],
    ['texts that nobody registers', 'src/payment/index.ts', "export * from './errors.js';", 'walls/imports textless'],
    ['a class that does several things', 'src/payment/day-range.ts', classOf(7), 'classes/dependencies'],
    ['a class that is listed as one and does more', 'src/jobs/cron-scheduler.ts', classOf(8), 'classes/dependencies'],
    ['a class that is listed as one and is none', 'src/jobs/cron-scheduler.ts', 'export class X {}', 'classes/dependencies'],
    [
      'a class whose properties are dependencies, too',
      'src/payment/day-range.ts',
      classOf(6).replace('constructor', '@Inject(Y) readonly y: string;\n  constructor'),
      'classes/dependencies',
    ],
    [
      'a class that has its dependencies as properties',
      'plugins/sandbox/src/index.ts',
      `export class X {\n${'  @InjectRepository(Y) readonly y!: Y;\n'.repeat(7)}}`,
      'classes/dependencies',
    ],
    ['a line nobody can read', 'src/payment/day-range.ts', `export const x = '${'word '.repeat(28)}';`, 'max-len'],
    ['a comment nobody can read', 'bench/store.mjs', `// ${'word '.repeat(28)}`, 'max-len'],
    ['an import of a loose file', 'src/common/errors.ts', "import '../main.js';", 'walls/imports loose'],
    [
      'an import of a bundled plugin',
      'src/hosting/hosting.service.ts',
      "import sandbox from '../../plugins/sandbox/index.js';\nexport const x = sandbox;",
      'walls/imports loose',
    ],
    [
      'starting a program',
      'src/hosting/hosting.service.ts',
      "import { exec } from 'node:child_process';\nexport const x = exec;",
      'no-restricted-imports',
    ],
    [
      'starting a program by an import at run time',
      'src/hosting/hosting.service.ts',
      "export const x = (): unknown => import('node:child_process');",
      'no-restricted-syntax',
    ],
    [
      'starting a program past imports',
      'src/hosting/hosting.service.ts',
      "export const x = process.getBuiltinModule('child_process');",
      'no-restricted-syntax',
    ],
    [
      'an import past imports',
      'src/payment/day-range.ts',
      "import { createRequire } from 'node:module';\nexport const x: unknown = createRequire(import.meta.url)('../hosting/index.js');",
      'no-restricted-syntax',
    ],
    [
      'an import past imports in a file that may look for files of packages',
      'src/auth/captcha-glyphs.ts',
      "export const x = process.getBuiltinModule('child_process');",
      'no-restricted-syntax',
    ],
    [
      'an import past imports by the command line',
      'src/cli/commands/migrate.ts',
      "import * as modules from 'node:module';\nexport const x: unknown = modules['createRequire'](import.meta.url)('../../main.js');",
      'no-restricted-syntax',
    ],
    [
      'a file of the panel loaded as a package is',
      'src/payment/day-range.ts',
      "import { whenUsed } from '../common/index.js';\nexport const x = whenUsed('../hosting/index.js');",
      'no-restricted-syntax',
    ],
    ...[
      "import { whenUsed as w } from '../common/index.js';\nexport const x = w('../hosting/index.js');",
      "import { whenUsed } from '../common/index.js';\nconst w = whenUsed;\nexport const x = w('../hosting/index.js');",
      "import * as common from '../common/index.js';\nexport const x = common.whenUsed('../hosting/index.js');",
      "import * as common from '../common/index.js';\nexport const x = common['whenUsed']('../hosting/index.js');",
      "import { whenUsed } from '../common/index.js';\nexport const x = [whenUsed].map((w) => w('../hosting/index.js'));",
      "import { whenUsed } from '../common/index.js';\nexport const x = Reflect.apply(whenUsed, null, ['../hosting/index.js']);",
      "export { whenUsed as w } from '../common/index.js';",
      "const { whenUsed: w } = await import('../common/index.js');\nexport const x = w('../hosting/index.js');",
    ].map((code) => [`whenUsed by another name: ${code}`, 'src/payment/day-range.ts', code, 'no-restricted-syntax']),
    ...['src/payment/day-range.ts', 'src/cli/commands/migrate.ts', 'plugins/sandbox/src/index.ts', 'agent/src/agent.ts'].flatMap((file) =>
      [
        "import { register } from 'node:module';\nregister('../hosting/index.js', import.meta.url);",
        "import * as modules from 'module';\nmodules.register('../hosting/index.js', import.meta.url);",
        "import { Worker } from 'node:worker_threads';\nexport const x = new Worker(new URL('../hosting/index.js', import.meta.url));",
        "process.execve('/bin/sh');",
        "process.binding('spawn_sync');",
        "process['binding']('spawn_sync');",
        "export const x = process._linkedBinding('spawn_sync');",
        "process.dlopen({ exports: {} }, '/tmp/x.node');",
      ].map((code) => [`a way past imports in ${file}: ${code}`, file, code, 'no-restricted-syntax']),
    ),
    [
      'a thread by an import at run time',
      'src/payment/day-range.ts',
      "export const x = (): unknown => import('node:worker_threads');",
      'no-restricted-syntax',
    ],
    ['a program in a file that may start threads', 'src/common/watchdog/watchdog.ts', "process.execve('/bin/sh');", 'no-restricted-syntax'],
    [
      'starting a program as a cluster does',
      'src/hosting/hosting.service.ts',
      "import cluster from 'node:cluster';\ncluster.fork();",
      'no-restricted-imports',
    ],
    [
      'starting a program as a cluster does, by an import at run time',
      'src/hosting/hosting.service.ts',
      "export const x = (): unknown => import('cluster');",
      'no-restricted-syntax',
    ],
    [
      'a type imported in place',
      'src/hooks/hook-frame.ts',
      "export type X = import('../payment/index.js').Orders;",
      '@typescript-eslint/consistent-type-imports',
    ],
    [
      'the type of a module imported in place',
      'src/hooks/hook-frame.ts',
      "export type X = typeof import('../payment/index.js');",
      '@typescript-eslint/consistent-type-imports',
    ],
    ...[
      ['src/theme/theme-engine.ts', './testing/contents.js'],
      ['src/payment/day-range.ts', '../packaging/testing/index.js'],
      ['src/payment/day-range.ts', './payment.operations.spec.js'],
      ['src/payment/day-range.ts', 'vitest'],
      ['plugins/sandbox/src/index.ts', './index.spec.js'],
      ['agent/src/agent.ts', './agent.spec.js'],
      ['agent/src/agent.ts', '../../test/support/machine.js'],
    ].map(([file, name]) => [
      `${file!} importing ${name!}, which is of specs`,
      file!,
      `import { x } from '${name!}';\nexport const y = x;`,
      'tests/imports',
    ]),
    [
      'an import at run time that points up',
      'src/payment/day-range.ts',
      "export const x = (): unknown => import('../hosting/index.js');",
      'walls/imports up',
    ],
    [
      'an import at run time whose name it cannot read',
      'src/payment/day-range.ts',
      'export const x = (): unknown => import(`../hosting/index.js`);',
      'walls/imports unnamed',
    ],
    [
      'an import in the form of CommonJS that points up',
      'src/payment/day-range.ts',
      "import x = require('../hosting/index.js');\nexport { x };",
      'walls/imports up',
    ],
    [
      'a circle of parts of agents',
      'src/agents/access/signature.ts',
      "import { Registry } from '../registry/index.js';\nexport const x = Registry;",
      'walls/imports up',
    ],
    [
      'a folder that is on no floor',
      'src/new-feature/orders.ts',
      "import { HostingService } from '../hosting/index.js';\nexport const x = HostingService;",
      'walls/imports up',
    ],
    [
      'a loose file beside main.ts',
      'src/loose.ts',
      "import { HostingService } from './hosting/index.js';\nexport const x = HostingService;",
      'walls/imports up',
    ],
    [
      'the composition importing past an index',
      'src/app/app.module.ts',
      "import { Database } from '../database/database.js';\nexport const x = Database;",
      'walls/imports past',
    ],
    [
      'the composition importing a plugin',
      'src/app/app.module.ts',
      "import plugin from '../../plugins/sandbox/src/index.js';\nexport const x = plugin;",
      'walls/imports loose',
    ],
    [
      'the command line importing main.ts',
      'src/cli/commands/migrate.ts',
      "export const x = (): unknown => import('../../main.js');",
      'walls/imports loose',
    ],
    [
      'a part importing the index of its own feature',
      'src/hosting/entities/hosting-account.entity.ts',
      "import { HostingService } from '../index.js';\nexport const x = HostingService;",
      'walls/imports up',
    ],
    [
      'a file importing its own folder',
      'src/payment/day-range.ts',
      "import { Settlement } from '../payment/index.js';\nexport const x = Settlement;",
      'walls/imports up',
    ],
    [
      'the row of the settings read by somebody else',
      'src/payment/day-range.ts',
      "import { SiteConfig } from '../site/index.js';\nexport const x = (rows: Map<object, object>): unknown => rows.get(SiteConfig);",
      'settings/row',
    ],
    [
      'the row of the settings by another name',
      'src/payment/day-range.ts',
      "import { SiteConfig as Row } from '../site/index.js';\nexport const x = (rows: Map<object, object>): unknown => rows.get(Row);",
      'settings/row',
    ],
    [
      'the row of the settings among everything',
      'src/payment/day-range.ts',
      "import * as site from '../site/index.js';\nexport const x = (rows: Map<object, object>): unknown => rows.get(site.SiteConfig);",
      'settings/row',
    ],
    [
      'the row of the settings imported at run time',
      'src/payment/day-range.ts',
      "export const x = async (): Promise<unknown> => (await import('../site/index.js')).SiteConfig;",
      'settings/row',
    ],
    ['the row of the settings handed on', 'src/payment/day-range.ts', "export { SiteConfig } from '../site/index.js';", 'settings/row'],
    [
      'the row of the settings kept in a variable',
      'src/payment/day-range.ts',
      "import { SiteConfig } from '../site/index.js';\nconst row = SiteConfig;\nexport const x = [row];",
      'settings/row',
    ],
    [
      'the row of the settings in an option',
      'src/cli/commands/migrate.ts',
      "import { SiteConfig } from '../../site/index.js';\nexport const x = { of: SiteConfig };",
      'settings/row',
    ],
    [
      'the row of the settings held by somebody else',
      'src/payment/day-range.ts',
      "export const x = (database: { lockRow(entity: string): unknown }): unknown => database.lockRow('SiteConfig');",
      'settings/row',
    ],
    [
      'the row of the settings in a statement of somebody else',
      'src/payment/day-range.ts',
      'export const x = `SELECT {SiteConfig.api} FROM {SiteConfig}`;',
      'settings/row',
    ],
    [
      'the row of the settings in a statement in lower case',
      'src/payment/day-range.ts',
      'export const x = `SELECT api FROM svc_config`;',
      'settings/row',
    ],
    [
      'types imported as values',
      'src/payment/day-range.ts',
      "import { Database } from '../database/index.js';\nexport type X = Database;",
      '@typescript-eslint/consistent-type-imports',
    ],
    [
      'the agent importing what the panel alone needs of the wire',
      'agent/src/agent.ts',
      "import { open } from '../../src/agents/wire/index.js';\nopen();",
      '@typescript-eslint/no-restricted-imports',
    ],
    [
      'the agent giving a line to a shell',
      'agent/src/host/programs/run-program.ts',
      "import { spawn } from 'node:child_process';\nspawn('ls', { shell: true });",
      'no-restricted-syntax',
    ],
    [
      'the agent starting programs otherwise than by a list of arguments',
      'agent/src/host/programs/run-program.ts',
      "import { exec } from 'node:child_process';\nexec('ls');",
      '@typescript-eslint/no-restricted-imports',
    ],
    [
      'work for a site starting a program',
      'agent/src/host/work/site-files.ts',
      "import { spawn } from 'node:child_process';\nspawn('ls');",
      '@typescript-eslint/no-restricted-imports',
    ],
    [
      'a plugin importing the panel at run time',
      'plugins/sandbox/src/index.ts',
      "export const x = (): unknown => import('../../../src/common/index.js');",
      'plugins/imports',
    ],
    [
      'the agent importing the panel',
      'agent/src/agent.ts',
      "import { toYuan } from '../../src/common/index.js';\ntoYuan(1);",
      '@typescript-eslint/no-restricted-imports',
    ],
    [
      'the agent importing a package',
      'agent/src/agent.ts',
      "import semver from 'semver';\nsemver.valid('1');",
      '@typescript-eslint/no-restricted-imports',
    ],
    [
      'the agent starting a program',
      'agent/src/agent.ts',
      "import { exec } from 'node:child_process';\nexec('ls');",
      '@typescript-eslint/no-restricted-imports',
    ],
    [
      'the agent importing at run time',
      'agent/src/agent.ts',
      'export const x = (name: string): unknown => import(name);',
      'no-restricted-syntax',
    ],
    [
      'the tests of the agent importing the panel',
      'agent/src/agent.spec.ts',
      "import { toYuan } from '../../src/common/index.js';\nexport const x = toYuan;",
      '@typescript-eslint/no-restricted-imports',
    ],
    [
      'a script of a page writing HTML',
      'src/web/browser/scripts/store.ts',
      'document.body.innerHTML = location.hash;',
      'no-restricted-properties',
    ],
    [
      'a script of a page importing a package',
      'src/web/browser/scripts/store.ts',
      "import semver from 'semver';\nsemver.valid('1');",
      'no-restricted-imports',
    ],
    [
      'a script of a page importing the server',
      'src/web/browser/scripts/store.ts',
      "import { toYuan } from '../../../common/index.js';\nexport const x = toYuan;",
      'no-restricted-imports',
    ],
    ['a script of a page using what browsers do not have', 'src/web/browser/scripts/store.ts', 'process.exit(1);', 'no-undef'],
    [
      'a script of a plugin’s page writing HTML',
      'plugins/hosting_shop/browser/cart.ts',
      'document.body.innerHTML = location.hash;',
      'no-restricted-properties',
    ],
    [
      'a script that plugins share writing HTML',
      'plugins/page-kit/browser/look-again.ts',
      'document.body.innerHTML = location.hash;',
      'no-restricted-properties',
    ],
    [
      'a script of a plugin’s page importing the panel’s',
      'plugins/hosting_shop/browser/cart.ts',
      "import { follow } from '../../../src/web/browser/kit/colour-scheme.js';\nfollow('b');",
      'no-restricted-imports',
    ],
    [
      'a script that plugins share importing more of the panel than its kit of pages',
      'plugins/page-kit/browser/captcha.ts',
      "import { call } from '../../../src/web/browser/panel/call.js';\nvoid call('yzm');",
      'no-restricted-imports',
    ],
    [
      'a script of a plugin’s page importing what runs in the panel',
      'plugins/hosting_shop/browser/cart.ts',
      "import { page } from '../src/layout.js';\nvoid page;",
      'no-restricted-imports',
    ],
    ['a script of a plugin’s page using what browsers do not have', 'plugins/wechatpay/browser/within.ts', 'process.exit(1);', 'no-undef'],
    [
      'a plugin importing the panel',
      'plugins/sandbox/src/index.ts',
      "import { toYuan } from '../../../src/common/index.js';\nexport const x = toYuan;",
      'plugins/imports',
    ],
    ...[
      'typeorm',
      'svc-panel/dist/src/common/index.js',
      '/opt/panel/dist/src/common/index.js',
      './../../../src/common/index.js',
      '../../hello/src/index.js',
      '../browser/within.js',
      '@svc/page-kit/browser/forms.js',
      '@svc/sdk/testing',
    ].map((name) => [
      `a plugin importing ${name}`,
      'plugins/sandbox/src/index.ts',
      `import { x } from '${name}';\nexport const y = x;`,
      'plugins/imports',
    ]),
  ])('reports %s', async (_name, file, code, rule) => {
    expect(await rulesBrokenBy(file, code)).toContain(rule);
  });

  it.each([
    ['a promise left alone', 'export function f(): void { Promise.resolve(1); }', 'no-floating-promises'],
    ['any', 'export const x: any = 1;', 'no-explicit-any'],
    ['writing to the terminal', "console.log('x');", 'no-console'],
    ['what nobody uses', 'const x = 1;\nexport {};', 'no-unused-vars'],
    ['a comment that disables nothing', '// eslint-disable-next-line no-console\nexport const x = 1;', 'eslint-disable'],
    ['a reference to a file', '/// <reference path="../hosting/index.ts" />\nexport {};', 'triple-slash-reference'],
    ['a promise taken for a condition', 'export const f = (p: Promise<boolean>): number => (p ? 1 : 0);', 'no-misused-promises'],
  ])('reports %s', (_name, code, rule) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-lint-'));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, target: 'es2022' } }));
    writeFileSync(join(folder, 'code.ts'), code);
    const oxlint = join(PACKAGE_ROOT, 'node_modules/.bin/oxlint');
    const { stdout, status } = spawnSync(oxlint, [...OPTIONS, '-c', join(PACKAGE_ROOT, '.oxlintrc.json'), folder], {
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    expect(stdout).toContain(rule);
    expect(status).toBe(1);
  });

  it.each(['src', 'agent/src', 'plugins'])('finds no cycle of sibling files and folders in %s', (folder) => {
    const { circles, size } = circlesIn(join(PACKAGE_ROOT, folder));
    expect(size).toBeGreaterThan(80);
    expect(circles).toEqual([]);
  });

  it('finds a cycle of a file and a sibling folder', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-lint-'));
    mkdirSync(join(folder, 'orders/http'), { recursive: true });
    writeFileSync(join(folder, 'orders/pipeline.ts'), "import { call } from './http/call.js';\nexport const pipeline = call;\n");
    writeFileSync(join(folder, 'orders/http/call.ts'), 'export const call = 1;\n');
    writeFileSync(join(folder, 'orders/http/entry.ts'), "export { pipeline } from '../pipeline.js';\n");
    expect(circlesIn(folder).circles.sort()).toEqual(['orders/http', 'orders/pipeline.ts']);
    rmSync(folder, { recursive: true });
  });

  it('ignores tests and templates, whose lines have the same maximum length', () => {
    const tests = filesIn('src', 'test', 'plugins', 'agent').filter(
      (file) => /\.m?ts$/.test(file) && (/\.spec\.ts$|[/\\]testing[/\\]/.test(file) || file.startsWith(join(PACKAGE_ROOT, 'test/'))),
    );
    const templates = filesIn('src', 'themes', 'plugins', 'sdk').filter((file) => file.endsWith('.liquid'));
    const scripts = [...filesIn('.ci'), ...['.env.example', 'agent/server-install.sh'].map((file) => join(PACKAGE_ROOT, file))];
    const tooLong = [...tests, ...templates, ...scripts].flatMap((file) => {
      const lines = readFileSync(file, 'utf8').split('\n');
      return lines.flatMap((line, at) => (line.length > 140 && !/https?:|^ *\/.*\/[a-z]*;$/.test(line) ? [`${file}:${at + 1}`] : []));
    });
    expect(tests.length).toBeGreaterThan(500);
    expect(templates.length).toBeGreaterThan(300);
    expect(tooLong).toEqual([]);
  });

  it('finds every runtime package among the dependencies, and no unused one', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as Manifest;
    const files = [...filesIn('src', 'plugins', 'agent/src'), join(PACKAGE_ROOT, 'ormconfig.ts')]
      .map((file) => relative(PACKAGE_ROOT, file).split(sep).join('/'))
      .filter((file) => /\.ts$|^src\/cli\/[^/]+\.mjs$/.test(file) && !/\.spec\.ts$|\/testing\//.test(file));
    const [built, run] = [true, false].map((isBuilt) => packagesIn(files.filter((file) => NOT_RUN.test(file) === isBuilt)));
    expect(run!.filter(({ name }) => !(name in dependencies))).toEqual([]);
    expect(built!.filter(({ name }) => !(name in dependencies || name in devDependencies))).toEqual([]);
    const imported = new Set(run!.map(({ name }) => name));
    expect(Object.keys(dependencies).filter((name) => !imported.has(name))).toEqual([...ELSEWHERE].sort());
  });

  it('lists no deleted class with many dependencies', async () => {
    const list = (await import(join(PACKAGE_ROOT, 'eslint.many-dependencies.js'))) as { MANY_DEPENDENCIES: Record<string, number> };
    const many = Object.entries(list.MANY_DEPENDENCIES);
    expect(many.filter(([file, most]) => most <= 6 || !existsSync(join(PACKAGE_ROOT, file)))).toEqual([]);
  });

  it('finds no unused export in an index of src', () => {
    const imported = new Set<string>();
    const offered: [name: string, file: string][] = [];
    for (const file of [...filesIn('src', 'test', 'bench', 'agent/src'), join(PACKAGE_ROOT, 'ormconfig.ts')]) {
      if (!/\.(?:ts|mjs)$/.test(file)) continue;
      const code = readFileSync(file, 'utf8');
      const isIndex = basename(file) === 'index.ts';
      // Names of run-time imports are read elsewhere in the file.
      if (!isIndex && /import\([^;]*index\.js/.test(code)) for (const [name] of code.matchAll(/\w+/g)) imported.add(name);
      for (const [, kind, list, path] of code.matchAll(/^(im|ex)port (?:type )?\{([^}]*)\} from '([^']*)'/gm))
        for (const [, name, newName] of list!.matchAll(/(?:type )?(\w+)(?: as (\w+))?/g))
          if (isIndex && kind === 'ex') offered.push([newName ?? name!, file]);
          else if (path!.endsWith('index.js')) imported.add(name!);
    }
    expect(offered.length).toBeGreaterThan(1_000);
    // The SDK is for authors.
    expect(offered.filter(([name, file]) => !imported.has(name) && !file.includes(join('src', 'sdk')))).toEqual([]);
  });

  it('finds no script of a bundled plugin outside its rules and types', () => {
    expect(filesIn('plugins').filter((file) => /\.[cm]?js$/.test(file))).toEqual([]);
  });

  it('finds no inline script in our pages: every script is a file', () => {
    // Code that reads foreign pages, and texts that must not become scripts.
    const others = /\.spec\.ts$|[/\\]samples[/\\]|packaging[/\\]package-scripts\.ts$|scripts[/\\]scripted-page\.ts$/;
    const pages = filesIn('src', 'themes', 'plugins', 'sdk').filter((file) => /\.(liquid|ts|html)$/.test(file) && !others.test(file));
    const within = /<script(?![^>]*\bsrc=)[^>]*>(?!<\/script>)|<[a-z][^<>]*\son(?:click|load|error|submit|change)=/i;
    const code = (file: string): string => readFileSync(file, 'utf8').replace(/^ *(?:\/\*\*|\*|\/\/).*$/gm, '');
    expect(pages.filter((file) => within.test(code(file)))).toEqual([]);
  });

  it.each([
    ['a class that is listed and does no more than it did', 'src/jobs/cron-scheduler.ts', classOf(7)],
    [
      'an import that points down',
      'src/payment/day-range.ts',
      "import { Database } from '../database/index.js';\nexport const x = Database;",
    ],
    [
      'a part importing a file beside the parts that imports only parts below it',
      'src/hosting/expiry/expiry-sweep.ts',
      "import { x } from '../expiry-plan.js';\nexport const y = x;",
    ],
    [
      'a package loaded on first use',
      'src/payment/day-range.ts',
      "import { whenUsed } from '../common/index.js';\nexport { whenUsed };\nexport const x = whenUsed<object>('yazl');",
    ],
    ['a build script', 'src/cli/build.mjs', "import { x } from './copied-files.mjs';\nexport const y = x;"],
    [
      'the type of the settings',
      'src/payment/day-range.ts',
      "import { type SiteConfig, nameOf } from '../site/index.js';\nexport const x = (row: SiteConfig): unknown => nameOf(row);",
    ],
    [
      'a plugin importing what it is given',
      'plugins/sandbox/src/index.ts',
      [
        "import * as nest from '@nestjs/typeorm';",
        "import { x } from '@svc/page-kit';",
        "import { y } from './y.js';",
        'export { nest, x, y };',
      ].join('\n'),
    ],
    [
      'what plugins share of the panel’s scripts',
      'plugins/page-kit/browser/appearance.ts',
      "import { follow } from '../../../src/web/browser/kit/colour-scheme.js';\nfollow('b');",
    ],
    [
      'the store importing what it shares with the panel',
      'src/store/items/edit-requests.ts',
      "import { checkVersion } from '../../http/index.js';\nexport const x = checkVersion;",
    ],
    [
      'the composition importing everything',
      'src/app/app.module.ts',
      "import { WebModule } from '../web/index.js';\nexport const x = WebModule;",
    ],
  ])('accepts %s', async (_name, file, code) => {
    expect(await rulesBrokenBy(file, code)).toEqual([]);
  });
});
