import boundaries from 'eslint-plugin-boundaries';
import tseslint from 'typescript-eslint';

/** Floors of the system, from the ground up: an import may only point down. docs/architecture.md says what each part is. */
const FLOORS = [
  ['sdk'],
  ['common'],
  ['config', 'images'],
  ['database'],
  ['jobs'],
  ['hooks', 'auth'],
  ['http'],
  ['operations', 'theme'],
  ['web'],
  // The settings of the installation, and the store: it is a service of its own and knows nothing of the panel's business.
  ['site', 'store'],
  // Notices, mail and channels: the business tells people by them.
  ['notify'],
  // Who buys, and whose hosts are; what coupons take off prices.
  ['customers', 'coupons'],
  ['hosting', 'payment', 'container'],
  // Credit of customers; records of names at DNS providers.
  ['ledger', 'dns'],
  // What hosts are sold as, and changes of that; receipts of what was paid.
  ['packages', 'receipts'],
  // Hosts that are renewed by orders.
  ['renewal'],
  // One storey with the business, but they may know it: agents belong to hosting nodes, users are hosting accounts.
  ['agents', 'account', 'access', 'backup'],
  // Looks at hosts and servers, and nobody needs it.
  ['monitor'],
  ['plugin-registry'],
  // Pages of several features, and what answers at an address that is nobody else's.
  ['pages', 'health'],
];

/** Floors inside the large folders: so their parts cannot know each other in a circle. Files that lie beside the parts are no part. */
const PARTS = {
  hosting: [
    ['entities', 'driver'],
    ['wire', 'login-links', 'embedded', 'traffic'],
    ['accounts', 'sites'],
    ['nodes', 'maintenance', 'site-tools'],
    ['external-api', 'operations', 'idle', 'files', 'domains'],
    ['bulk', 'expiry', 'holds', 'owners', 'shops', 'site-settings', 'bin', 'statistics', 'site-backups', 'certificates', 'names'],
    ['drift'],
    ['pages'],
  ],
  store: [
    ['entities', 'packages', 'uploads'],
    ['call', 'html'],
    ['audit', 'search'],
    ['http'],
    ['accounts', 'images', 'items'],
    ['catalog', 'docs', 'downloads', 'review', 'updates'],
    ['web'],
  ],
  agents: [['entities', 'wire'], ['access', 'tasks'], ['scans'], ['registry', 'api'], ['operations', 'pages']],
};
const LARGE = Object.keys(PARTS);
const partOf = (feature) => `part of ${feature}`;

/** Refuses `../folder/file.js`, from as deep as the file lies, where only `../folder/index.js` is for others. */
const pastIndex = (up, folders) => ({
  selector: `:matches(ImportDeclaration, ExportNamedDeclaration, ExportAllDeclaration)[source.value=/^${up === 0 ? '\\.\\/' : `(\\.\\.\\/){${up}}`}(${folders.join('|')})\\/(?!index\\.js$)/]`,
  message: 'Import what a folder offers from its index.js, not past it.',
});

const below = (floors, level) => floors.slice(0, level).flat();

const policies = FLOORS.flatMap((floor, level) =>
  floor.map((feature) => ({
    from: { element: [{ type: 'feature', captured: { feature } }, { type: partOf(feature) }] },
    allow: { to: { element: { type: 'feature', captured: { feature: [feature, ...below(FLOORS, level)] } } } },
  })),
);

const partPolicies = LARGE.flatMap((feature) => [
  { from: { element: { type: 'feature', captured: { feature } } }, allow: { to: { element: { type: partOf(feature) } } } },
  ...PARTS[feature].flatMap((floor, level) =>
    floor.map((part) => ({
      from: { element: { type: partOf(feature), captured: { part } } },
      allow: { to: { element: { type: partOf(feature), captured: { part: [part, 'lang', ...below(PARTS[feature], level)] } } } },
    })),
  ),
]);

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'data/**', 'coverage/**', 'themes/**'] },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: true } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      'no-console': 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'], location: 'start' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { boundaries },
    settings: {
      'import/resolver': { typescript: { project: './tsconfig.json' } },
      'boundaries/elements': [
        ...LARGE.map((feature) => ({ type: partOf(feature), pattern: `src/${feature}/*`, capture: ['part'] })),
        { type: 'feature', pattern: 'src/*', capture: ['feature'] },
      ],
    },
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: ['child_process', 'node:child_process'].map((name) => ({
            name,
            message: 'The panel starts no programs: agents do, from typed actions.',
          })),
        },
      ],
      // A file that belongs to no folder of src is nobody's to import: not main.ts, not plugins, not themes.
      'boundaries/no-unknown-dependencies': 'error',
      'boundaries/dependencies': [
        'error',
        {
          default: 'disallow',
          policies: [...policies, ...partPolicies],
          message: 'Imports only point down: see the floors in docs/architecture.md.',
        },
      ],
    },
  },
  {
    // The composition knows everything; entry points write to the terminal.
    files: ['src/main.ts', 'src/app/**/*.ts', 'src/cli/**/*.ts'],
    rules: { 'boundaries/dependencies': 'off', 'boundaries/no-unknown-dependencies': 'off', 'no-restricted-imports': 'off' },
  },
  ...[1, 2, 3, 4].map((depth) => ({
    files: [`src/${'*/'.repeat(depth)}*.ts`],
    ignores: ['src/app/**', 'src/cli/**', ...LARGE.map((feature) => `src/${feature}/**`)],
    rules: { 'no-restricted-syntax': ['error', pastIndex(depth, FLOORS.flat())] },
  })),
  ...LARGE.flatMap((feature) =>
    [1, 2, 3, 4].map((depth) => ({
      files: [`src/${feature}/${'*/'.repeat(depth - 1)}*.ts`],
      rules: { 'no-restricted-syntax': ['error', pastIndex(depth, FLOORS.flat()), pastIndex(depth - 1, PARTS[feature].flat())] },
    })),
  ),
  {
    files: ['**/*.spec.ts', 'test/**/*.ts', 'src/**/testing/**/*.ts'],
    rules: {
      'boundaries/dependencies': 'off',
      'boundaries/no-unknown-dependencies': 'off',
      'no-restricted-imports': 'off',
      'no-restricted-syntax': 'off',
      '@typescript-eslint/no-floating-promises': 'off',
      '@typescript-eslint/no-empty-function': 'off',
    },
  },
  {
    // Put together as one file that is copied to a server: it has Node's modules and nothing else, and starts no programs.
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
            { regex: '/src/agents/wire/', message: 'Types of the wire are shared, nothing else.', allowTypeImports: true },
            { regex: '/src/(?!agents/wire/)', message: 'The agent and its tests know the panel from the outside.' },
          ],
        },
      ],
      'no-restricted-syntax': ['error', { selector: 'ImportExpression', message: 'What the agent imports stands at its top.' }],
    },
  },
  {
    files: ['agent/src/**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: [{ regex: '\\.\\./src/', message: 'The agent and its tests know the panel from the outside.' }] },
      ],
    },
  },
  {
    // Scripts of pages: what a browser has, nothing of Node or of the server, and no string becomes HTML.
    files: ['src/web/browser/**/*.ts'],
    languageOptions: {
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
      'boundaries/no-unknown-dependencies': 'off',
      'no-undef': 'error',
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(?!\\.\\.?/|@alpinejs/csp$|alpinejs$|@codemirror/[a-z-]+$|@lezer/highlight$|chart\\.js$|js-sha256$)',
              message: 'Few libraries are sent to browsers.',
            },
            { regex: '^(\\.\\./){2,}', message: 'A browser has nothing of the server.' },
          ],
        },
      ],
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'srcdoc', 'write'].map((property) => ({
          property,
          message: 'Texts stay texts: HTML is made on the server, and taken in by htmx.',
        })),
      ],
    },
  },
  {
    // As anybody's plugin: the SDK, Nest and Node's modules, nothing of the panel.
    files: ['plugins/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^(\\.\\./){2,}', message: 'A plugin knows the panel by @svc/sdk only.' }] },
      ],
    },
  },
);
