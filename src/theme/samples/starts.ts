import { trustedHtml } from '../trusted-html.js';
import { order, adminPage, chart, banners, problem, userPage, config, site, type SampleView } from './frame.js';

const business = {
  range: 30,
  ranges: [7, 30, 90],
  first: '2026-10-23',
  last: '2026-11-21',
  income: 123_450,
  refunded: 990,
  orders: 42,
  hosts_new: 12,
  hosts_ending: 7,
  hosts_ended: 2,
  orders_open: 3,
  orders_open_sum: 2_970,
  refunds_waiting: 1,
  second_payments: 1,
  failed_deliveries: 3,
  sold: [
    { name: 'Starter · 1 个月 & <b>', scene: 'hosting', words: 'Starter · 1 个月 & <b>', n: 30, income: 100_000 },
    { name: '', scene: 'xf', words: 'Renewal', n: 10, income: 20_000 },
    { name: '', scene: 'yecz', words: 'Top-up', n: 1, income: 3_000 },
    { name: '', scene: 'gift', words: 'gift', n: 1, income: 450 },
  ],
};
const notices = [{ theme: 'aurora', view: 'admin/index', message: 'tag "foo" not found', count: 2, date: '2026-11-21T04:00:00.000Z' }];
const widgets = [
  { title: '今日访问', html: trustedHtml('<p class="h1 mb-0">12,345</p>'), width: 6, area: 'main', owner: 'stats' },
  { title: '', html: trustedHtml('<p class="mb-0">Hello from a plugin.</p>'), width: 6, area: 'top', owner: 'hello' },
];
const guide = {
  open: true,
  done: 1,
  steps: [
    {
      id: 'password',
      title: '只有您知道的密码',
      text: '',
      url: '/admin/settings?tab=account',
      label: '修改密码',
      done: true,
      operation: '',
    },
    { id: 'payment', title: '收款方式', text: '启用支付网关。', url: '/admin/plugins', label: '去设置', done: false, operation: '' },
    {
      id: 'shop_seen',
      title: '看看商城',
      text: '打开商城。',
      url: '/shop',
      label: '打开商城',
      done: false,
      operation: 'p_hosting_shop_seen',
    },
  ],
};
const host = {
  user: 'alice01',
  status: 'active',
  url: 'http://alice01.localhost:3080',
  node: 'local',
  created_at: '2026-10-01T00:00:00.000Z',
  expires_on: '2027-01-01',
  days_left: 41,
  web_used: 312,
  web_state: 'near',
  has_database: true,
  has_traffic: true,
  traffic_state: 'over',
  web_limit: 1024,
  database_used: 18,
  database_limit: 256,
  traffic_used: 7,
  traffic_limit: 0,
  measured_at: '2026-11-20T08:30:00.000Z',
  domains_used: 1,
  domains: 5,
};
const stats = {
  hosts: 1284,
  hosts_active: 1201,
  nodes: 6,
  nodes_online: 6,
  orders: 5321,
  orders_paid: 4980,
  income: 12_345_678,
  income_today: 45_600,
};
const orders = [
  order,
  { ...order, number: '20261121041533483', status: 'paid', user: 'bob' },
  { ...order, status: 'closed' },
  { ...order, status: 'refunded' },
  { ...order, status: 'partly_refunded' },
];
/** Start pages of each side, and error pages. */
export const STARTS_VIEWS: SampleView[] = [
  {
    side: 'admin',
    view: 'index',
    vars: { ...adminPage, stats, orders, chart, widgets, notices, banners, guide, business, dead_letters: 3 },
  },
  {
    side: 'admin',
    view: 'index',
    vars: {
      ...adminPage,
      stats,
      orders: [],
      widgets: [],
      notices: [],
      banners: [],
      guide: { open: false, steps: [], done: 0 },
      dead_letters: 0,
    },
  },
  { side: 'admin', view: 'error', vars: problem },
  { side: 'user', view: 'index', vars: { ...userPage, host, widgets, notice: trustedHtml(config.gg) } },
  {
    side: 'user',
    view: 'index',
    vars: { ...userPage, host: { ...host, status: 'paused', url: '', expires_on: null, domains: 0 }, widgets: [] },
  },
  { side: 'user', view: 'index', vars: { ...userPage, host: { ...host, status: 'provisioning' }, widgets: [] } },
  { side: 'user', view: 'closed', vars: { site, contact: 'QQ 10001' } },
  { side: 'user', view: 'error', vars: { site } },
  {
    side: 'home',
    view: 'index',
    vars: {
      site: { ...site, icon: '/uploads/logos/x.png', hero: '一分钟开通' },
      look: { image: '/uploads/logos/y.png', colour: '#ffee00', colour_rgb: '255, 238, 0', on_colour: '#182433' },
      notice: trustedHtml(config.gg),
      blocks: [{ element: 'block-offers', title: '优惠', html: trustedHtml('<p>…</p>') }],
    },
  },
  { side: 'home', view: 'error', vars: problem },
];
