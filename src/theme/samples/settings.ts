import { trustedHtml } from '../trusted-html.js';
import { adminPage, config, methods, type SampleView } from './frame.js';

const fields = [
  { key: 'title', label: '标题', type: 'text', value: 'Shop', hint: '显示在页面顶部', placeholder: '标题', options: [] },
  { key: 'note', label: '说明', type: 'textarea', value: '…', hint: '', placeholder: '说明', options: [] },
  { key: 'secret', label: '密钥', type: 'password', value: '', hint: '', placeholder: '', options: [] },
  { key: 'limit', label: '上限', type: 'number', value: 5, hint: '', placeholder: '5', options: [] },
  { key: 'open', label: '开放', type: 'switch', value: true, hint: '', placeholder: '', options: [] },
  {
    key: 'mode',
    label: '模式',
    type: 'select',
    value: 'b',
    hint: '',
    placeholder: '',
    options: [
      { value: 'a', label: 'A' },
      { value: 'b', label: 'B' },
    ],
  },
];
const tabs = [{ id: 'hosting_shop', title: '空间商城', href: '/admin/settings?tab=hosting_shop' }];
const core_tabs = [
  'site',
  'user',
  'home',
  'account',
  'api',
  'mail',
  'payments',
  'scans',
  'expiry',
  'idle',
  'statistics',
  'site_backups',
  'certificates',
];
const settings = {
  ...adminPage,
  core_tabs,
  tabs,
  config,
  methods,
  api_url: 'http://127.0.0.1:3000/api/api.php',
  slug: 'hosting_shop',
  fields,
};
/** Views of the tabs of the settings. */
export const SETTINGS_VIEWS: SampleView[] = [
  { side: 'admin', view: 'settings', vars: { ...settings, tab: 'site' } },
  { side: 'admin', view: 'settings', vars: { ...settings, tab: 'account' } },
  { side: 'admin', view: 'settings', vars: { ...settings, tab: 'api' } },
  {
    side: 'admin',
    view: 'settings',
    vars: {
      ...settings,
      order_ttl: 24,
      currency: { code: 'CNY', open: true, choices: [{ code: 'CNY', name: '人民币 (CNY, ¥)' }] },
      tab: 'payments',
      gateways: [
        {
          slug: 'epay',
          name: 'Epay',
          notify_url: 'https://panel.example.com/pay/epay/notify',
          settings_url: '/admin/settings?tab=epay',
          can_test: true,
          not_set_up: true,
          wrong_currency: false,
          least: '1.00',
          most: '5000.00',
        },
        {
          slug: 'dollars',
          name: 'Dollars',
          notify_url: null,
          settings_url: null,
          can_test: false,
          not_set_up: false,
          wrong_currency: true,
          least: null,
          most: '10.00',
        },
      ],
    },
  },
  {
    side: 'admin',
    view: 'settings',
    vars: {
      ...settings,
      methods: [],
      order_ttl: 0,
      currency: { code: 'CNY', open: false, choices: [{ code: 'CNY', name: '人民币 (CNY, ¥)' }] },
      tab: 'payments',
    },
  },
  { side: 'admin', view: 'settings', vars: { ...settings, tab: 'hosting_shop' } },
  { side: 'admin', view: 'settings', vars: { ...settings, tab: 'hosting_shop', content: trustedHtml('<p>Page of a plugin</p>') } },
  { side: 'admin', view: 'settings', vars: { ...settings, tab: 'user' } },
  { side: 'admin', view: 'settings', vars: { ...settings, tab: 'home', pictures: { logo: '', icon: '/uploads/logos/x.png', image: '' } } },
  { side: 'admin', view: 'settings', vars: { ...settings, tab: 'scans' } },
  { side: 'admin', view: 'settings', vars: { ...settings, tab: 'idle' } },
  { side: 'admin', view: 'settings', vars: { ...settings, tab: 'expiry', config: { txts: '7,3,1,0', kxts: 3, scts: 30 } } },
  { side: 'admin', view: 'settings', vars: { ...settings, tab: 'statistics', config: { rzts: 30, tjys: 13, rznm: true } } },
  ...['', 'https://s3.example.com/bucket/site-backups/'].map((bucket) => ({
    side: 'admin' as const,
    view: 'settings',
    vars: { ...settings, tab: 'site_backups', folder: '/data/site-backups', bucket },
  })),
  {
    side: 'admin',
    view: 'settings',
    vars: {
      ...settings,
      tab: 'certificates',
      config: { kg: true, ml: 'https://acme.example/directory', yx: 'a@b.c', ty: true },
      row_version: 'v',
      directories: ['https://acme.example/directory'],
      is_served: true,
    },
  },
  {
    side: 'admin',
    view: 'settings',
    vars: {
      ...settings,
      tab: 'mail',
      config: { host: 'smtp.example.com', port: 465, user: 'panel@example.com', tls: 'starttls', name: '云帆', from: '' },
      has_password: true,
      mail_ready: true,
    },
  },
  {
    side: 'admin',
    view: 'settings',
    vars: { ...settings, tab: 'mail', config: { port: 465, tls: 'ssl' }, has_password: false, mail_ready: false },
  },
];
