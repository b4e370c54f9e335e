import { trustedHtml } from '../trusted-html.js';
import { adminPage, lists, userPage, site, order, type SampleView } from './frame.js';

const template = {
  key: 'monitor.notice.down',
  lang: 'en',
  language: 'English',
  name: '网站',
  defect: '坏了',
  is_own: true,
  values: [{ name: 'name', value: '网站' }],
  config: { title: '{{ title }}', body: '{{ text }}' },
  row_version: 'x',
};
const preferences = {
  email: 'me@example.com',
  known: 'old@example.com',
  language: 'en',
  digest: true,
  row_version: 'v',
  mail_ready: true,
  kinds: [{ kind: 'traffic', bell: true, mail: false, channel: true }],
};
const channel = {
  id: 4,
  type: 'ntfy',
  type_title: 'ntfy',
  help: '填写主题',
  name: '值班手机',
  enabled: true,
  row_version: 'v',
  problem: '渠道「值班手机」还缺少：主题。',
  fields: [
    { id: 'channel-topic', name: 'cs[topic]', type: 'text', required: true, label: '主题', value: 'alarm', placeholder: '', hint: '' },
    { id: 'channel-token', name: 'cs[token]', type: 'password', required: false, label: '令牌', value: '', placeholder: '', hint: '' },
  ],
  kinds: [{ kind: 'traffic', chosen: true }],
};
/** Views of notices, their channels and mails. */
export const NOTICES_VIEWS: SampleView[] = [
  { side: 'admin', view: 'notices', vars: { ...adminPage, lists: lists('notices') } },
  { side: 'admin', view: 'sent-notices', vars: { ...adminPage, lists: lists('sent-notices') } },
  { side: 'admin', view: 'channels', vars: { ...adminPage, lists: lists('channels'), types: [{ type: 'ntfy', title: 'ntfy' }] } },
  { side: 'user', view: 'channels', vars: { ...userPage, lists: lists('channels'), types: [{ type: 'ntfy', title: 'ntfy' }] } },
  { side: 'admin', view: 'channel', vars: { ...adminPage, ...channel } },
  { side: 'user', view: 'channel', vars: { ...userPage, ...channel, id: 0 } },
  {
    side: 'admin',
    view: 'notice-templates',
    vars: {
      ...adminPage,
      groups: [
        {
          title: 'Hosts',
          own: 1,
          broken: 1,
          notices: [
            {
              title: 'Your site was paused <b>',
              wordings: [
                { lang: 'zh-CN', language: '中文', state: 'own', problem: '', href: '/admin/notice-template?key=a&in=zh-CN' },
                {
                  lang: 'en',
                  language: 'English',
                  state: 'broken',
                  problem: 'tag <b> not closed',
                  href: '/admin/notice-template?key=a&in=en',
                },
              ],
            },
          ],
        },
        {
          title: 'Orders',
          own: 0,
          broken: 0,
          notices: [{ title: 'Paid', wordings: [{ lang: 'en', language: 'English', state: 'builtin', problem: '', href: '/x' }] }],
        },
      ],
    },
  },
  { side: 'admin', view: 'notice-template', vars: { ...adminPage, ...template, is_own: false, defect: '' } },
  { side: 'admin', view: 'notice-template', vars: { ...adminPage, ...template } },
  { side: 'admin', view: 'deliveries', vars: { ...adminPage, lists: lists('deliveries') } },
  { side: 'admin', view: 'notice-settings', vars: { ...adminPage, ...preferences } },
  { side: 'user', view: 'notice-settings', vars: { ...userPage, ...preferences, mail_ready: false } },
  {
    side: 'home',
    view: 'mail-link',
    vars: { site, title: '确认邮箱', text: '将通知发送到 a@b.c？', label: '确认', action: '/notices/mail?t=x' },
  },
  { side: 'home', view: 'mail-link', vars: { site, title: '确认邮箱', text: '已确认', label: '', action: '' } },
  { side: 'admin', view: 'announcements', vars: { ...adminPage, bell: { unread: 0 }, lists: lists('announcements') } },
  { side: 'user', view: 'notices', vars: { ...userPage, lists: lists('notices') } },
  { side: 'user', view: 'announcements', vars: { ...userPage, announcements: [] } },
  {
    side: 'user',
    view: 'announcements',
    vars: {
      ...userPage,
      announcements: [{ id: 1, title: '机房维护', level: 'info', created_at: order.created_at, html: trustedHtml('<p>今晚。</p>') }],
    },
  },
];
