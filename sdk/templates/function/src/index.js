import { definePlugin, html } from '@svc/sdk';

export default definePlugin((svc) => {
  // A route of the plugin: GET /__name__
  svc.svc_register_route('GET', '/__name__', (_params, ctx) => String(html`<h1>${ctx.t('hello', { name: svc.slug })}</h1>`));

  // A card on the administrators' dashboard.
  svc.svc_register_widget('admin', 'main', (ctx) => ({
    title: ctx.t('title'),
    html: String(html`<p>${ctx.t('hello', { name: ctx.admin?.username ?? '' })}</p>`),
    width: 4,
  }));

  // Runs once for each paid order, even after a crash.
  svc.svc_add_action('order.paid', (order) => svc.log.info('paid', { order: order.ddh }), 10, { id: 'paid' });
});
