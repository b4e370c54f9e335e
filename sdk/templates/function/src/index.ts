import { definePlugin, html } from '@svc/sdk';

export default definePlugin((svc) => {
  // A page of its own: GET /__name__
  svc.svc_register_route('GET', '/__name__', (_params, ctx) => String(html`<h1>${ctx.t('hello', { name: svc.slug })}</h1>`));

  // A box on the dashboard of administrators.
  svc.svc_register_widget('admin', 'main', (ctx) => ({
    title: ctx.t('title'),
    html: String(html`<p>${ctx.t('hello', { name: ctx.admin?.username ?? '' })}</p>`),
    width: 4,
  }));

  // Told once for each order that was paid, also after a crash.
  svc.svc_add_action('order.paid', (order) => svc.log.info('paid', { order: order.ddh }), 10, { id: 'paid' });
});
