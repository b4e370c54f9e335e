import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path/posix';

import tseslint from 'typescript-eslint';

import { MANY_DEPENDENCIES } from './eslint.many-dependencies.js';

/** Floors of the system, from the ground up: an import may only point down. docs/architecture.md describes the folders. */
const FLOORS = [
  ['sdk'],
  ['common'],
  ['config', 'images'],
  ['database'],
  ['jobs'],
  ['hooks', 'auth'],
  ['http'],
  ['operations', 'theme'],
  // Packages of plugins and themes: ZIP, manifest, signatures. Store and panel both read them.
  ['packaging'],
  ['web'],
  // The settings of the installation, and the store, which is a service of its own and knows nothing of the panel's business.
  ['site', 'store'],
  // Notices, mail and channels, which the business uses.
  ['notify'],
  // Customers and the hosts they own; coupon discounts.
  ['customers', 'coupons'],
  ['hosting', 'payment', 'container'],
  // Credit of customers; records of names at DNS providers.
  ['ledger', 'dns'],
  // Packages of hosts, and orders that change them; paid programs; receipts of paid orders.
  ['packages', 'programs', 'receipts'],
  // Hosts that are renewed by orders.
  ['renewal'],
  // Business that may import the rest of the business: agents belong to hosting nodes, users are hosting accounts.
  ['agents', 'account', 'access', 'backup'],
  // Checks hosts and servers; no business imports it.
  ['monitor'],
  ['plugin-registry'],
  // Plugins from a store.
  ['plugin-store'],
  // Pages of several features, and the answer at addresses of no feature; the state of the installation.
  ['pages', 'health'],
  // The composition: modules, start order, signals. The command line and main.ts start it.
  ['app'],
  ['cli', 'main.ts'],
];

/** What a folder may not import although it is below. The store has no operations: what it shares with the panel is in http. */
const APART = { store: ['operations'] };

/** Floors inside the large folders: so their parts cannot know each other in a circle. Files that lie beside the parts are no part. */
const PARTS = {
  hosting: [
    ['entities', 'driver'],
    ['wire', 'login-links', 'embedded', 'traffic'],
    ['baota', 'placement'],
    ['accounts', 'sites'],
    ['nodes', 'maintenance', 'site-tools'],
    ['external-api', 'operations', 'idle', 'files', 'domains'],
    [
      'bulk',
      'expiry',
      'holds',
      'owners',
      'shops',
      'web-settings',
      'bin',
      'statistics',
      'site-backups',
      'certificates',
      'names',
      'presence',
    ],
    ['drift', 'site-programs'],
    ['deployments'],
    ['moves'],
    ['pages'],
  ],
  payment: [
    ['entities'],
    ['orders'],
    ['gateways'],
    ['notices', 'notifications', 'statistics'],
    ['log', 'refunds'],
    ['second-payments', 'settlement'],
    ['inquiries'],
    ['checkout'],
    ['order-operations'],
  ],
  store: [
    ['entities', 'packages', 'uploads'],
    ['call', 'html'],
    ['audit', 'search'],
    ['http'],
    ['accounts', 'images', 'items', 'signing'],
    ['catalog', 'docs', 'downloads', 'feeds', 'review', 'updates', 'webhooks'],
    ['ratings'],
    ['web'],
  ],
  agents: [
    ['entities', 'wire'],
    ['access', 'tasks'],
    ['actions', 'scans'],
    ['registry'],
    ['api', 'driver', 'logs', 'task-actions'],
    ['operations', 'pages'],
  ],
};
/**
 * Who may import which files directly instead of an index, as patterns of both: entry points what has to run before everything else; the
 * command line the testing part of the SDK; the command for authors, which is a small bundle of its own, any file.
 */
const PAST_INDEX = [
  [/^src\/(?:main|cli\/[\w-]+)\.ts$/, /^src\/(?:config\/timezone|common\/(?:closed-output|compile-cache)|app\/v8-flags)\.js$/],
  [/^src\/cli\//, /^src\/sdk\/testing\.js$/],
  [/^src\/cli\/author\//, /./],
];
const mayPass = (file, target) => PAST_INDEX.some(([from, to]) => from.test(file) && to.test(target));

/** The floor of `name`, counted from the ground; undefined if it is on none of `floors`. */
const levelIn = (floors, name) => {
  const level = floors.findIndex((floor) => floor.includes(name));
  return level < 0 ? undefined : level;
};

/**
 * What is wrong with `file` importing `target`, both as paths from here such as src/hosting/index.ts; undefined if nothing is.
 * Of a folder, others import only the index.js, and only from above; the same holds for the parts of a large folder.
 */
function wrongImport(file, target) {
  const [, feature, part, ...deeper] = file.split('/');
  const [root, otherFeature, otherPart, ...rest] = target.split('/');
  // The options of the database connection list every entity.
  if (target === 'ormconfig.js' && ['app', 'cli'].includes(feature)) return undefined;
  if (root !== 'src' || otherPart === undefined) return 'loose';
  // The index of a folder imports the files in it, not the other way round.
  if (basename(target) === 'index.js' && `${dirname(file)}/`.startsWith(`${dirname(target)}/`)) return 'up';
  if (otherFeature !== feature) {
    const [own, other] = [feature, otherFeature].map((name) => levelIn(FLOORS, name));
    if (own === undefined || other === undefined || other >= own) return 'up';
    if (APART[feature]?.includes(otherFeature)) return 'apart';
    return otherPart === 'index.js' || mayPass(file, target) ? undefined : 'past';
  }
  const floors = PARTS[feature];
  // Files beside the parts are no part; neither are texts.
  if (!floors || otherPart === part || rest.length === 0 || otherPart === 'lang') return undefined;
  if (rest.join('/') !== 'index.js') return 'past';
  if (deeper.length === 0) return undefined;
  const [own, other] = [part, otherPart].map((name) => levelIn(floors, name));
  return own === undefined || other === undefined || other >= own ? 'up' : undefined;
}

/** Listeners of a rule that checks every import and export of a file, in whatever form. */
const onImports = (check) => ({
  ImportDeclaration: check,
  ExportNamedDeclaration: check,
  ExportAllDeclaration: check,
  ImportExpression: check,
  'TSImportEqualsDeclaration > TSExternalModuleReference': ({ expression }) => check({ source: expression }),
});

/** Importing names known only at run time is for the command line, scripts of pages and the SDK's test kit. */
const NAMES_AT_RUN_TIME = /^src\/(?:cli|web\/browser|sdk)\//;

/**
 * The walls of src. A rule of our own, because it only compares two paths; plugins for this resolve every import as a compiler does, which
 * takes longer than all other rules together.
 */
const imports = {
  meta: {
    type: 'problem',
    messages: {
      up: 'Imports only point down: see the floors in docs/architecture.md.',
      apart: 'The store knows nothing of operations: what it shares with the panel is in src/http.',
      past: 'Import what a folder offers from its index.js, not past it.',
      loose: "A file that belongs to no folder of src is nobody's to import: not main.ts, not plugins, not themes.",
      texts: 'The index of a folder registers its texts, and nobody else: whoever has the folder has them.',
      textless: 'A folder with texts of its own has its index import them: keys would show.',
      unnamed: 'Nobody sees what this imports: name it.',
    },
  },
  create(context) {
    const file = relative(import.meta.dirname, context.filename);
    const isIndex = basename(file) === 'index.ts';
    const hasTexts = isIndex && existsSync(join(dirname(context.filename), 'texts.ts'));
    const check = ({ type, source, specifiers }) => {
      if (type === 'ImportExpression' && source.type !== 'Literal' && !NAMES_AT_RUN_TIME.test(file))
        context.report({ node: source, messageId: 'unnamed' });
      if (!source?.value?.startsWith?.('.')) return;
      const registersTexts = specifiers?.length === 0 && basename(source.value) === 'texts.js';
      const messageId =
        registersTexts && !isIndex && !mayPass(file, 'texts.js') ? 'texts' : wrongImport(file, join(dirname(file), source.value));
      if (messageId) context.report({ node: source, messageId });
    };
    const checkTexts = (program) => {
      const isHad = program.body.some(({ type, source }) => type === 'ImportDeclaration' && source.value === './texts.js');
      if (hasTexts && !isHad) context.report({ node: program, messageId: 'textless' });
    };
    return { Program: checkTexts, ...onImports(check) };
  },
};

/** The build has neither specs nor what they share. */
const tests = {
  meta: { type: 'problem', messages: { tests: 'Specs, what they share in testing/, and Vitest are for specs.' } },
  create: (context) =>
    onImports(({ source }) => {
      if (/(?:^|\/)testing\/|\.spec\.[jt]s$|^(?:\.\.\/)+test\/|^vitest(?:\/|$)/.test(source?.value))
        context.report({ node: source, messageId: 'tests' });
    }),
};

/** What the panel provides to bundled plugins, and what several of them share. Nest gives plugins with tables their repositories. */
const FOR_PLUGINS = /^(?:node:[\w/]+|@svc\/(?:sdk|gateway-kit|page-kit)|@nestjs\/(?:common|core|typeorm))$/;

/** Bundled plugins are like those of others: they know only what the panel provides, and nothing of each other. */
const plugins = {
  meta: { type: 'problem', messages: { plugins: 'A plugin imports @svc/sdk, the two kits, Nest, modules of Node and its own files.' } },
  create(context) {
    const file = relative(import.meta.dirname, context.filename);
    const [root, slug, source] = file.split('/');
    const isOwn = (name) => name.startsWith('.') && join(dirname(file), name).startsWith(`${root}/${slug}/${source}/`);
    return onImports((node) => {
      if (node.source && !isOwn(String(node.source.value)) && !FOR_PLUGINS.test(node.source.value))
        context.report({ node: node.source, messageId: 'plugins' });
    });
  },
};

/** Only `SiteSettings` reads and writes the row of the settings: it follows changes by other processes, others may read old values. */
const settings = {
  meta: {
    type: 'problem',
    messages: { row: 'Only src/site uses the row of the settings: SiteSettings has current, hold(), change() and changeFrom().' },
  },
  create(context) {
    const folder = dirname(relative(import.meta.dirname, context.filename));
    const report = (node) => context.report({ node, messageId: 'row' });
    const check = (node, text) => /\bSVC_config\b|^SiteConfig$|\{SiteConfig\b/.test(text) && report(node);
    const isType = ({ importKind, exportKind }) => (importKind ?? exportKind) === 'type';
    return {
      Literal: (node) => check(node, String(node.value)),
      TemplateElement: (node) => check(node, node.value.raw),
      // Everybody may use the type. With the class as a value, also by importing everything, one has the row.
      ...onImports((node) => {
        if (isType(node) || !join(folder, String(node.source?.value)).startsWith('src/site/')) return;
        if (!node.specifiers) report(node.source);
        for (const one of node.specifiers ?? []) {
          const named = { ImportSpecifier: one.imported, ExportSpecifier: one.local }[one.type];
          if (!isType(one) && (!named || named.name === 'SiteConfig')) report(one);
        }
      }),
    };
  },
};

/** Agents start programs, from typed actions. */
const NO_PROGRAMS = 'The panel starts no programs: agents do, from typed actions.';
const NO_PROGRAMS_LATER = { selector: 'ImportExpression[source.value=/^(?:node:)?child_process$/]', message: NO_PROGRAMS };

/** Ways to a module that no rule for imports sees: functions of Node by these names, and what is loaded late and no package. */
const waysPastImports = (names) =>
  [
    `Identifier[name=/^(?:${names})$/]`,
    `MemberExpression[property.value=/^(?:${names})$/]`,
    "CallExpression[callee.name='whenUsed'] > .arguments:not(Literal[value=/^(?!child_process$)[@a-z][^:]+$/])",
  ].map((selector) => ({ selector, message: 'What is imported stands in an import, where the walls see it.' }));
const PAST_IMPORTS = waysPastImports('createRequire|getBuiltinModule');

/** Dependencies a class may have: with a seventh it is two. */
const MOST_DEPENDENCIES = 6;

/** What classes that Nest makes ask for. */
const dependencies = {
  meta: {
    type: 'problem',
    messages: {
      many: 'More than {{most}} dependencies: it does several things, and each is a class.',
      fewer: 'Fewer dependencies than eslint.many-dependencies.js says: write {{now}} there, or nothing where {{most}} are enough.',
    },
  },
  create(context) {
    const listed = MANY_DEPENDENCIES[relative(import.meta.dirname, context.filename)];
    const most = listed ?? MOST_DEPENDENCIES;
    let now = 0;
    return {
      "MethodDefinition[kind='constructor']"({ parent, value }) {
        if (!parent.parent.decorators?.length) return;
        now = Math.max(now, value.params.length);
        if (value.params.length > most) context.report({ node: value, messageId: 'many', data: { most } });
      },
      'Program:exit'(node) {
        if (now < listed) context.report({ node, messageId: 'fewer', data: { now, most: MOST_DEPENDENCIES } });
      },
    };
  },
};

/** Imports of browser scripts. @param allowed pattern of how their names may begin @param server pattern of how they must not */
const browserImports = (allowed, server) => [
  'error',
  {
    patterns: [
      { regex: `^(?!${allowed})`, message: 'Browsers get only a few libraries.' },
      { regex: `^(?:${server})`, message: 'Scripts of pages do not import code of the server.' },
    ],
  },
];

/** Specs of the agent are not among them: they have rules of their own. */
const TESTS = ['src/**/*.spec.ts', 'plugins/**/*.spec.ts', 'src/**/testing/**', 'test/**'];

export default tseslint.config(
  // Rules for every file are in .oxlintrc.json, because oxlint takes a tenth of the time. Here are those it lacks, and none is for tests.
  { ignores: ['dist/**', 'node_modules/**', 'data/**', 'coverage/**', 'themes/**', 'sdk/dist/**', ...TESTS] },
  {
    files: ['**/*.ts'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    // The rule runs here because it has to know that decorators need types at run time, and oxlint does not.
    languageOptions: { parser: tseslint.parser, parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    // Comments disable rules of oxlint as well, and oxlint reports those that disable nothing.
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
    },
  },
  {
    // Prettier does not break long texts and comments. Migrations that have landed are never edited.
    files: ['**/*.ts', '**/*.mjs', '*.js'],
    ignores: ['src/database/migrations/**', 'plugins/*/src/migrations.ts'],
    rules: { 'max-len': ['error', { code: 140, ignoreUrls: true, ignoreRegExpLiterals: true }] },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { walls: { rules: { imports } } },
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: ['child_process', 'node:child_process'].map((name) => ({ name, message: NO_PROGRAMS })),
        },
      ],
      // The rule above does not see imports at run time.
      'no-restricted-syntax': ['error', NO_PROGRAMS_LATER, ...PAST_IMPORTS],
      'walls/imports': 'error',
    },
  },
  {
    files: ['src/**/*.ts', 'plugins/**/*.ts', 'agent/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    plugins: { tests: { rules: { imports: tests } } },
    rules: { 'tests/imports': 'error' },
  },
  {
    files: ['src/**/*.ts'],
    // Two commands use the row while no panel runs, and the check of the database reads it as it is, even if it is damaged.
    ignores: [
      'src/site/**',
      'src/cli/import/**',
      'src/cli/commands/secret-key.ts',
      'src/database/migrations/**',
      'src/health/checks/check-database.ts',
    ],
    plugins: { settings: { rules: { row: settings } } },
    rules: { 'settings/row': 'error' },
  },
  {
    files: ['src/**/*.ts', 'plugins/**/*.ts'],
    plugins: { classes: { rules: { dependencies } } },
    rules: { 'classes/dependencies': 'error' },
  },
  {
    // These start programs, such as the panel for tests of plugins.
    files: ['src/main.ts', 'src/app/**/*.ts', 'src/cli/**/*.ts'],
    rules: { 'no-restricted-imports': 'off', 'no-restricted-syntax': ['error', ...PAST_IMPORTS] },
  },
  {
    // Files of packages are found by it, and CommonJS is loaded: when it is used first, and for plugins.
    files: [
      'src/auth/{captcha-glyphs,hash-threads}.ts',
      'src/common/when-used.ts',
      'src/plugin-registry/package/module-loader.ts',
      'src/theme/icons.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', NO_PROGRAMS_LATER, ...waysPastImports('getBuiltinModule')] },
  },
  {
    // Bundled into one file that is copied to a server: it has nothing but Node's modules, and starts no programs.
    files: ['agent/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: ['node:child_process', 'node:cluster', 'node:worker_threads', 'node:vm'].map((name) => ({
            name,
            message: 'The agent starts no programs and runs no code it is sent.',
          })),
          patterns: [
            { regex: '^(?!node:|\\.)', message: 'The agent is one file: only modules of Node, as node:….' },
            {
              regex: '/src/agents/wire/(?!(?:actions|action|shape|seal|task-problems)\\.js$)',
              message: 'The agent shares the types of the wire, the check of actions and the problems of tasks.',
              allowTypeImports: true,
            },
            { regex: '/src/(?!agents/wire/)', message: 'The agent and its tests do not import the panel.' },
          ],
        },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'ImportExpression', message: 'The agent imports at the top of its files.' },
        ...PAST_IMPORTS,
      ],
    },
  },
  {
    // Sites on Debian are set up with its programs: those of a fixed table, started only here, and never through a shell.
    files: [
      'agent/src/host/programs/run-program.ts',
      'agent/src/host/work/site-{workers,sql,command}.ts',
      'agent/src/install/server-programs.ts',
    ],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'node:child_process',
              allowImportNames: ['spawn', 'ChildProcess'],
              message: 'Programs get arrays of arguments, never a line for a shell.',
            },
            ...['node:cluster', 'node:worker_threads', 'node:vm'].map((name) => ({ name, message: 'The agent runs no code it is sent.' })),
          ],
          patterns: [
            { regex: '^(?!node:|\\.)', message: 'The agent is one file: only modules of Node, as node:….' },
            { regex: '/src/(?!hosting/embedded/|hosting/driver/ports/)', message: 'The agent does not import the panel.' },
          ],
        },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'ImportExpression', message: 'The agent imports at the top of its files.' },
        { selector: "Property[key.name='shell'][value.value!=false]", message: 'No shell.' },
        ...PAST_IMPORTS,
      ],
    },
  },
  {
    // Work on files of a site, as its user, by the panel's code for them: src/cli/bundle.mjs puts that into the bundle, and nothing else of
    // the panel.
    files: ['agent/src/host/work/{site-files,site-archives,site-work,budget,panel-common,panel-ports}.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: ['node:child_process', 'node:cluster', 'node:worker_threads', 'node:vm'].map((name) => ({
            name,
            message: 'Programs are started elsewhere.',
          })),
          patterns: [
            { regex: '^(?!node:|\\.|(?:yauzl|yazl|tar-stream)$)', message: 'The agent is one file: only modules of Node, as node:….' },
          ],
        },
      ],
    },
  },
  {
    files: ['agent/src/**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: [{ regex: '\\.\\./src/(?!agents/wire/)', message: 'The agent and its tests do not import the panel.' }] },
      ],
    },
  },
  {
    // Scripts of pages use what browsers have, nothing of Node or the server, and never turn a string into HTML.
    files: ['src/web/browser/**/*.ts', 'plugins/*/browser/**/*.ts'],
    languageOptions: {
      parserOptions: { lib: ['es2022', 'dom', 'dom.iterable'] },
      globals: Object.fromEntries(
        [
          'window',
          'document',
          'location',
          'navigator',
          'matchMedia',
          'getComputedStyle',
          'addEventListener',
          'sessionStorage',
          'setTimeout',
          'setInterval',
          'clearInterval',
          'clearTimeout',
          'fetch',
          'atob',
          'btoa',
          'Option',
          'Element',
          'File',
          'FormData',
          'Headers',
          'HTMLButtonElement',
          'HTMLElement',
          'HTMLFormElement',
          'HTMLFieldSetElement',
          'HTMLImageElement',
          'HTMLInputElement',
          'MutationObserver',
          'RadioNodeList',
          'Response',
          'URLSearchParams',
          'XMLHttpRequest',
          'EventSource',
          'MessageEvent',
          'CustomEvent',
        ].map((name) => [name, 'readonly']),
      ),
    },
    rules: {
      'no-undef': 'error',
      'no-restricted-imports': browserImports(
        '\\.\\.?/|@alpinejs/csp$|alpinejs$|@codemirror/[a-z-]+$|@lezer/highlight$|chart\\.js$|js-sha256$',
        '(\\.\\./){2,}',
      ),
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'srcdoc', 'write'].map((property) => ({
          property,
          message: 'Texts stay texts: the server makes HTML, and htmx inserts it.',
        })),
      ],
    },
  },
  {
    files: ['plugins/**/*.ts'],
    ignores: ['plugins/*/browser/**'],
    plugins: { plugins: { rules: { imports: plugins } } },
    rules: { 'plugins/imports': 'error', 'no-restricted-syntax': ['error', ...PAST_IMPORTS] },
  },
  {
    // Scripts of plugins' pages: code that several of them share is in plugins/page-kit, which may import the panel's kit.
    files: ['plugins/*/browser/**/*.ts'],
    rules: { 'no-restricted-imports': browserImports('\\.\\.?/|@svc/page-kit/browser/', '(\\.\\./){2,}|(\\.\\./)+src/') },
  },
  {
    files: ['plugins/page-kit/browser/**/*.ts'],
    // look-again.ts loads its page again and parses it.
    languageOptions: { globals: { AbortController: 'readonly', DOMParser: 'readonly' } },
    rules: {
      'no-restricted-imports': browserImports('\\.\\.?/', '(?!(\\.\\./){3}src/web/browser/kit/[a-z-]+\\.js$)(\\.\\./){2,}|\\.\\./src/'),
    },
  },
);
