import type { SvcFacade } from '@svc/sdk';

/**
 * A notice channel that writes notices to the log. A real one sends them, with `svc.svc_http_post`, and throws if they were not accepted.
 */
export function registerChannel(svc: SvcFacade): void {
  svc.svc_register_notice_channel('log', {
    title: 'channel',
    help: 'channel_help',
    fields: [{ key: 'label', label: 'channel_label', type: 'text', required: true }],
    send: ({ id, title, level }, { label = '' }) => svc.log.info('a notice came', { label, id, title, level }),
  });
}
