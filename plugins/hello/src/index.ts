import { definePlugin, html } from '@svc/sdk';

import { registerChannel } from './channel.js';
import { RECORDS, registerDnsDriver } from './dns-driver.js';
import { registerGateway } from './gateway.js';
import { registerHostDriver, SITES } from './host-driver.js';

const greet = (text: string, loud: boolean) => ({ success: true, code: loud ? text.toUpperCase() : text });

/** One minimal example of every kind of registration; copy the ones you need. docs/plugin-api.md documents them in full. */
export default definePlugin(async (svc) => {
  // Own tables, in which the two drivers keep their rows.
  await svc.db.migrate([
    { id: '001', up: (schema) => schema.createTable(SITES), down: (schema) => schema.dropTable('site') },
    { id: '002', up: (schema) => schema.createTable(RECORDS), down: (schema) => schema.dropTable('record') },
  ]);

  /** Reads a setting of the tab below: texts, and `true` or `false` for switches. */
  const option = async (key: string): Promise<string> => String(await svc.svc_plugin_option_get(svc.slug, key, ''));

  // Information for the plugin list.
  svc.svc_plugin_register(svc.slug, { name: 'Hello', description: 'An example for authors', icon: 'mdi-hand-wave-outline' });

  // Called once for each new host, even after a crash.
  svc.svc_add_action('host.created', (user, id, node) => svc.log.info('a host was opened', { user, id, node }), 10, { id: 'opened' });

  // A value that other plugins may change, through an own hook.
  svc.svc_add_filter('hello.greeting', (text: string) => `${text}!`);

  // An operation: POST /admin/ajax.php with gn=p_hello_ping. It changes nothing, so it has no audit line.
  svc.svc_register_ajax(
    'admin',
    'p_hello_ping',
    async (ctx) => ({ success: true, code: await svc.svc_apply_filters('hello.greeting', ctx.t('pong', { name: ctx.admin!.username })) }),
    'admin',
    { rate: 'read' },
  );

  // An operation with a form: its fields are validated before it runs, and the page below renders them from this declaration.
  svc.svc_register_ajax('admin', 'p_hello_greet', ({ t }, { name, loud = false }) => greet(t('pong', { name }), loud), 'admin', {
    rate: 'read',
    fields: [
      { key: 'name', type: 'text', required: true, maxLength: 40 },
      { key: 'loud', type: 'switch' },
    ],
  });

  // An admin page, its menu entry, and a dashboard widget.
  svc.svc_register_page('admin', 'index', 'pages/index.liquid', 'title');
  svc.svc_register_menu('admin', { title: 'title', icon: 'mdi-hand-wave-outline', order: 90, page: 'index' });
  svc.svc_register_widget('admin', 'main', (ctx) => ({ title: ctx.t('title'), html: String(html`<p>${ctx.t('greeting')}</p>`), width: 4 }));

  // Settings that the panel renders, validates and stores as options.
  svc.svc_register_settings_tab('admin', {
    id: 'hello',
    title: 'title',
    order: 90,
    fields: [
      { key: 'home', label: 'home', hint: 'home_hint', type: 'switch', default: false },
      { key: 'note', label: 'note', hint: 'note_hint', type: 'text' },
      { key: 'merchant', label: 'merchant', hint: 'merchant_hint', type: 'text' },
      { key: 'secret', label: 'secret', type: 'password' },
    ],
  });

  // The home page, if enabled above: a path to redirect to, or HTML; null passes to the next handler.
  svc.svc_register_home(async () => ((await option('home')) === 'true' ? '/hello' : null), 50);

  // An own route.
  svc.svc_register_route('GET', '/hello', (_params, ctx) =>
    String(html`<!doctype html><html lang="${ctx.locale}"><title>${ctx.t('title')}</title><h1>${ctx.t('greeting')}</h1>`),
  );

  // Content before a page of the panel, and below every page of customers.
  svc.svc_register_page_override('admin', 'components', (_view, ctx) => ({
    before: String(html`<p class="text-secondary" id="hello-before">${ctx.t('before')}</p>`),
  }));
  svc.svc_register_partial_override('user', 'foot', async () => {
    const note = await option('note');
    return note === '' ? null : { before: String(html`<p class="text-center text-secondary" id="hello-note">${note}</p>`) };
  });

  // Longer examples: a payment gateway, a notice channel, a host driver and a DNS provider.
  registerGateway(svc, option);
  registerChannel(svc);
  registerHostDriver(svc);
  registerDnsDriver(svc);
});
