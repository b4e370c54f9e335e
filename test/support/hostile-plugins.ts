import { functionPlugin } from './plugins.js';

/** Bodies of hostile or faulty callbacks `(...args)`. Late ones wait in `globalThis.svcLate` until {@link letGo}. */
export const MISBEHAVIOURS = {
  hang: 'return new Promise(() => {});',
  throws: "throw new Error('hostile');",
  throwsNothing: 'throw undefined;',
  rejects: "return Promise.reject(new Error('hostile'));",
  /** Changes its first argument and answers when the test releases it. */
  answersLate: `return new Promise((done) => { (globalThis.svcLate ??= []).push(() => {
    if (Array.isArray(args[0])) { args[0].push({ title: 'late entry', url: '/late', html: 'late', owner: 'late' });
      for (const item of args[0]) item.title = 'late title'; }
    done('late answer');
  }); });`,
  rejectsLate: "return new Promise((_done, fail) => { (globalThis.svcLate ??= []).push(() => fail(new Error('late error'))); });",
  thenableThatThrows: "return { then() { throw new Error('hostile then'); } };",
  thenableGetterThatThrows: "return { get then() { throw new Error('hostile getter'); } };",
  thenableThatHangs: 'return { then() {} };',
  thenableTwice: "return { then(done) { done('once'); done('twice'); throw new Error('and throws'); } };",
  thenableOfHanging: 'return { then(done) { done({ then() {} }); } };',
  /** Blocks the thread for 700 ms. */
  busy: 'const end = Date.now() + 700; while (Date.now() < end);',
  hugeResult: "return 'x'.repeat(8 * 1024 * 1024);",
} as const;

/** Key of {@link MISBEHAVIOURS}. */
export type Misbehaviour = keyof typeof MISBEHAVIOURS;

/** All kinds of callbacks a plugin can register: code that registers the function `f`. Operations and routes are named after the plugin. */
export const CALLBACKS = {
  boot: (f: string) => `svc.svc_add_action('boot', ${f});`,
  cron: (f: string) => `svc.svc_add_action('cron', ${f}, 1);`,
  orderPaid: (f: string) => `svc.svc_add_action('order.paid', ${f}, 1, { id: 'hostile' });`,
  orderClosed: (f: string) => `svc.svc_add_action('order.closed', ${f}, 1, { id: 'hostile' });`,
  hostCreated: (f: string) => `svc.svc_add_action('host.created', ${f}, 1, { id: 'hostile' });`,
  adminPage: (f: string) => `svc.svc_add_action('init.admin', ${f}, 1);`,
  userPage: (f: string) => `svc.svc_add_action('init.user', ${f}, 1);`,
  homeBlocks: (f: string) => `svc.svc_add_action('home.blocks', ${f}, 1);`,
  adminMenu: (f: string) => `svc.svc_add_action('menu.admin', ${f}, 1);`,
  userMenu: (f: string) => `svc.svc_add_action('menu.user', ${f}, 1);`,
  adminSteps: (f: string) => `svc.svc_add_action('dashboard.admin.steps', ${f}, 1);`,
  adminWidgets: (f: string) => `svc.svc_add_action('dashboard.admin.widgets', ${f}, 1);`,
  userWidgets: (f: string) => `svc.svc_add_action('dashboard.user.widgets', ${f}, 1);`,
  settingsTabs: (f: string) => `svc.svc_add_action('settings.admin.tabs', ${f}, 1);`,
  orderProducts: (f: string) => `svc.svc_add_action('order.products', ${f}, 1);`,
  dispatchFilter: (f: string) => `svc.svc_add_filter('pay.dispatch.before', ${f}, 1);`,
  operation: (f: string) => `svc.svc_register_ajax('user', 'p_' + svc.slug, ${f});`,
  operationAuth: (f: string) => `svc.svc_register_ajax('user', 'p_' + svc.slug + '_auth', () => ({ in: true }), ${f});`,
  page: (f: string) => `svc.svc_register_page('admin', 'index', ${f}, 'Hostile');`,
  widget: (f: string) => `svc.svc_register_widget('admin', 'main', ${f});`,
  home: (f: string) => `svc.svc_register_home(${f}, 1);`,
  route: (f: string) => `svc.svc_register_route('GET', '/' + svc.slug, ${f});`,
  routeAuth: (f: string) => `svc.svc_register_route('GET', '/' + svc.slug + '/auth', () => 'in', 10, ${f});`,
  pageOverride: (f: string) => `svc.svc_register_page_override('admin', 'orders', ${f});`,
  partialOverride: (f: string) => `svc.svc_register_partial_override('admin', 'list_search', ${f});`,
  paymentBuild: (f: string) => `svc.svc_register_payment(svc.slug, { name: 'Hostile', methods: { a: 'A' }, build: ${f} });`,
  paymentNotify: (f: string) =>
    `svc.svc_register_payment(svc.slug, { name: 'Hostile', methods: { a: 'A' }, build: () => false, notify: ${f} });`,
  paymentReturn: (f: string) =>
    `svc.svc_register_payment(svc.slug, { name: 'Hostile', methods: { a: 'A' }, build: () => false, return: ${f} });`,
} as const;

/** Key of {@link CALLBACKS}. */
export type CallbackKind = keyof typeof CALLBACKS;

/** Returns the `index.js` of a plugin that misbehaves in these callbacks. */
export function hostilePlugin(how: Misbehaviour, ...at: CallbackKind[]): string {
  return functionPlugin(at.map((kind) => CALLBACKS[kind](`function (...args) { ${MISBEHAVIOURS[how]} }`)).join('\n'));
}

/**
 * Releases everything that waits in `answersLate` and `rejectsLate`.
 *
 * @returns the number of released callbacks
 */
export function letGo(): number {
  const holder = globalThis as { svcLate?: (() => void)[] };
  const waiting = holder.svcLate ?? [];
  delete holder.svcLate;
  for (const go of waiting) go();
  return waiting.length;
}
