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

/**
 * Floors inside the large folders, so that their parts cannot import each other in a circle. Files beside the parts (`index.ts`, modules
 * and so on) that import parts are on a floor, too. The others are below all parts and may not import any.
 */
const PARTS = {
  hosting: [
    ['entities', 'driver'],
    ['wire', 'embedded', 'traffic'],
    ['baota', 'placement'],
    ['accounts', 'sites'],
    ['expiry-plan.ts', 'host-user-directory.ts', 'shown-status.ts'],
    ['login-links', 'nodes', 'maintenance', 'site-tools'],
    ['hosting.service.ts'],
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
    ['hosting.module.ts'],
    ['index.ts'],
  ],
  payment: [
    ['entities'],
    ['orders'],
    ['payment.inputs.ts'],
    ['gateways'],
    ['notices', 'notifications', 'statistics'],
    ['log', 'refunds'],
    ['second-payments', 'settlement'],
    ['inquiries'],
    ['checkout'],
    ['order-operations', 'payment-banners.ts'],
    ['payment.module.ts'],
    ['payment-pages.module.ts'],
    ['index.ts'],
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
    ['store.module.ts'],
    ['describe-store.ts'],
    ['index.ts'],
  ],
  agents: [
    ['entities', 'wire'],
    ['access', 'tasks', 'agent-loads.ts'],
    ['actions', 'scans'],
    ['registry'],
    ['api', 'driver', 'logs', 'task-actions', 'agent-retention.ts'],
    ['operations'],
    ['agents.module.ts'],
    ['pages'],
    ['index.ts'],
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
  const [, feature, part] = file.split('/');
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
  if (!floors || otherPart === part || otherPart === 'lang') return undefined;
  if (rest.length > 0 && rest.join('/') !== 'index.js') return 'past';
  // A file beside the parts that is on no floor is below all of them.
  const levelOf = (name) => levelIn(floors, name) ?? (name.endsWith('.ts') ? -1 : undefined);
  const [own, other] = [part, otherPart.replace(/\.js$/, '.ts')].map(levelOf);
  return other < 0 || other < own ? undefined : 'up';
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
/** Names of packages and of Node's modules: neither an absolute path nor an address. */
const PACKAGE = /^(?:node:|@?[a-z])[^:\\]*$/;

/**
 * The walls of src. A rule of our own, because it only compares two paths; plugins for this resolve every import as a compiler does, which
 * takes longer than all other rules together.
 */
const imports = {
  meta: {
    type: 'problem',
    messages: {
      up: 'Imports only point down: see FLOORS and PARTS in eslint.config.js, and docs/architecture.md.',
      apart: 'The store knows nothing of operations: what it shares with the panel is in src/http.',
      past: 'Of another folder, import only its index.js.',
      loose: 'Files outside the folders of src are not imported: not main.ts, not plugins, not themes.',
      absolute: 'A file is imported by its path from the importing file, which starts with a dot.',
      texts: 'Only the index of a folder registers its texts, so that whoever imports the folder has them.',
      textless: 'The index of a folder with texts imports them: otherwise people see their keys.',
      unnamed: 'The linter cannot read what this imports: write its name as a plain string.',
    },
  },
  create(context) {
    const file = relative(import.meta.dirname, context.filename);
    const isIndex = basename(file) === 'index.ts';
    const hasTexts = isIndex && existsSync(join(dirname(context.filename), 'texts.ts'));
    const check = ({ type, source, specifiers }) => {
      if (type === 'ImportExpression' && source.type !== 'Literal' && !NAMES_AT_RUN_TIME.test(file))
        context.report({ node: source, messageId: 'unnamed' });
      if (source?.type !== 'Literal' || PACKAGE.test(source.value)) return;
      if (!String(source.value).startsWith('.')) return context.report({ node: source, messageId: 'absolute' });
      const registersTexts = specifiers?.length === 0 && basename(source.value) === 'texts.js';
      const messageId =
        registersTexts && !isIndex && !mayPass(file, 'texts.js') ? 'texts' : wrongImport(file, join(dirname(file), source.value));
      if (messageId) context.report({ node: source, messageId });
    };
    const checkTexts = (program) => {
      const importsTexts = program.body.some(({ type, source }) => type === 'ImportDeclaration' && source.value === './texts.js');
      if (hasTexts && !importsTexts) context.report({ node: program, messageId: 'textless' });
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
    const isRow = (text) => /\bSVC_config\b/i.test(text) || /^SiteConfig$|\{SiteConfig\b/.test(text);
    const check = (node, text) => isRow(text) && report(node);
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
const PROGRAM_MODULES = ['child_process', 'cluster'].flatMap((name) => [name, `node:${name}`]);
const NO_PROGRAMS_LATER = { selector: `ImportExpression[source.value=/^(?:${PROGRAM_MODULES.join('|')})$/]`, message: NO_PROGRAMS };

/** Selectors of code that uses one of these names of Node's functions. */
const usesOf = (names) => [`Identifier[name=/^(?:${names})$/]`, `MemberExpression[property.value=/^(?:${names})$/]`];
const pastImports = (selectors) =>
  selectors.map((selector) => ({
    selector,
    message: 'Load modules by an import, where the walls see it, also those that start programs.',
  }));
/** Ways to modules and programs that are closed to all code, because no rule for imports sees them. */
const ALWAYS_PAST_IMPORTS = pastImports([
  ...usesOf('getBuiltinModule|execve|dlopen|_linkedBinding'),
  "CallExpression[callee.property.name='binding']",
  "CallExpression[callee.property.value='binding']",
  // whenUsed loads only packages, and is used only by this name.
  "CallExpression[callee.name='whenUsed'] > .arguments:not(Literal[value=/^(?!child_process$|cluster$)[@a-z][^:]+$/])",
  "ImportSpecifier[imported.name='whenUsed'][local.name!='whenUsed']",
  "ExportSpecifier[local.name='whenUsed'][exported.name!='whenUsed']",
  "Identifier[name='whenUsed']:not(.callee, .imported, .local, .exported, .id)",
  "Literal[value='whenUsed']",
]);
/** The same for code that has no reason to start threads or to load CommonJS: nearly all. */
const PAST_IMPORTS = [
  ...ALWAYS_PAST_IMPORTS,
  ...pastImports([...usesOf('createRequire'), '[source.value=/^(?:node:)?(?:module|worker_threads)$/]']),
];

/** The most dependencies of a class: one with a seventh does the work of two. */
const MOST_DEPENDENCIES = 6;

/** Counts what classes get from Nest: parameters of their constructor, and members with `@Inject…()`. */
const dependencies = {
  meta: {
    type: 'problem',
    messages: {
      many: 'More than {{most}} dependencies: it does several things, and each is a class.',
      fewer:
        'Fewer dependencies than eslint.many-dependencies.js says: write {{now}} there, or remove the line if that is at most {{most}}.',
    },
  },
  create(context) {
    const listed = MANY_DEPENDENCIES[relative(import.meta.dirname, context.filename)];
    const most = listed ?? MOST_DEPENDENCIES;
    let now = 0;
    return {
      ClassBody(node) {
        const made = node.parent.decorators?.length ? node.body.find(({ kind }) => kind === 'constructor') : undefined;
        const injected = node.body.filter((member) =>
          member.decorators?.some(({ expression }) => expression.callee?.name?.startsWith('Inject')),
        );
        const count = (made?.value.params.length ?? 0) + injected.length;
        now = Math.max(now, count);
        if (count > most) context.report({ node, messageId: 'many', data: { most } });
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
          paths: PROGRAM_MODULES.map((name) => ({ name, message: NO_PROGRAMS })),
        },
      ],
      // The rule above does not see imports at run time.
      'no-restricted-syntax': ['error', NO_PROGRAMS_LATER, ...PAST_IMPORTS],
      'walls/imports': 'error',
    },
  },
  {
    // The rules here are for .ts. Build scripts run before anything is compiled.
    files: ['{src,plugins,agent}/**/*.{js,cjs,mjs,jsx,cts,mts,tsx}'],
    ignores: ['src/cli/*.mjs'],
    languageOptions: { parser: tseslint.parser },
    rules: { 'no-restricted-syntax': ['error', { selector: 'Program', message: 'Code here is in .ts files: the walls are for those.' }] },
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
    // These start threads whose code is a string, look up files of packages, or load CommonJS: packages on first use, and plugins.
    files: [
      'src/auth/{captcha-glyphs,hash-threads}.ts',
      'src/common/{compile-cache,when-used}.ts',
      'src/common/watchdog/watchdog.ts',
      'src/http/free.ts',
      'src/plugin-registry/package/module-loader.ts',
      'src/theme/icons.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', NO_PROGRAMS_LATER, ...ALWAYS_PAST_IMPORTS] },
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
