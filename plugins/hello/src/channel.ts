import type { SvcFacade } from '@svc/sdk';

/**
 * A kind of notice channel that writes what it is told into the log. A real one sends it, with `svc.svc_http_post`, and throws where it
 * was not taken.
 */
export function registerChannel(svc: SvcFacade): void {
  svc.svc_register_notice_channel('log', {
    title: 'channel',
    help: 'channel_help',
    fields: [{ key: 'label', label: 'channel_label', type: 'text', required: true }],
    send: ({ id, title, level }, { label = '' }) => svc.log.info('a notice came', { label, id, title, level }),
  });
}
