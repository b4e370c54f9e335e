import { definePlugin, html, type CallContext, type SvcFacade } from '@svc/sdk';

const MODES = ['off', 'redirect', 'render'] as const;
type Mode = (typeof MODES)[number];

/** Replaces the home page according to its settings, and has two pages of its own. */
export default definePlugin((svc) => {
  const modeOf = async (): Promise<Mode> => {
    const mode = await svc.svc_plugin_option_get<string>(svc.slug, 'mode', 'off');
    return MODES.find((one) => one === mode) ?? 'off';
  };
  const target = async (): Promise<string> => (await svc.svc_plugin_option_get(svc.slug, 'redirect_target', '')).trim();

  svc.svc_register_settings_tab('admin', {
    id: 'home_demo',
    title: 'tab',
    order: 80,
    fields: [
      {
        key: 'mode',
        label: 'mode',
        hint: 'mode_hint',
        type: 'select',
        default: 'off',
        options: MODES.map((value) => ({ value, label: `mode_${value}` })),
      },
      { key: 'redirect_target', label: 'redirect_target', hint: 'redirect_target_hint', type: 'text', placeholder: '/landing' },
    ],
  });
  svc.svc_register_home(async (ctx) => {
    const mode = await modeOf();
    if (mode === 'off') return null;
    if (mode === 'render') return page(svc, ctx, ctx.t('welcome'));
    // Without a target, or if it is the home page itself, the next handler is used.
    const to = await target();
    return to === '' || to === '/' ? null : to;
  }, 50);
  svc.svc_register_route('GET', '/landing', (_params, ctx) => page(svc, ctx, ctx.t('landing')));
  svc.svc_register_route('GET', '/promo/{id}', ({ id }, ctx) => page(svc, ctx, ctx.t('promo', { id: id ?? '' })));
});

function page(svc: SvcFacade, ctx: CallContext, heading: string): string {
  return String(html`<!doctype html><html lang="${ctx.locale}"><head><meta charset="utf-8"><meta name="viewport"
    content="width=device-width, initial-scale=1"><title>${heading} · ${svc.site.name()}</title></head>
    <body><h1>${heading}</h1><p><a href="/user/">${ctx.t('to_user')}</a></p></body></html>`);
}
