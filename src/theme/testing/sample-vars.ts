import { trustedHtml } from '../trusted-html.js';
import type { ThemeSide } from '../names.js';

/** A view of the default theme with values such as its controller passes. */
export interface SampleView {
  side: ThemeSide;
  view: string;
  vars: Record<string, unknown>;
}

const site = { name: '云帆主机', logo: { login: '', index: '', head: '' }, footer: '© 2026 Cloud Sail', hero: '' };
const account = { username: 'admin' };
const order = {
  number: '20261121041533482',
  name: '入门型 · 1 个月',
  amount: 990,
  status: 'unpaid',
  user: 'alice01',
  created_at: '2026-11-21T04:15:33.000Z',
};
const notices = [{ theme: 'aurora', view: 'admin/index', message: 'tag "foo" not found', count: 2, date: '2026-11-21T04:00:00.000Z' }];
const widgets = [
  { title: '今日访问', html: trustedHtml('<p class="h1 mb-0">12,345</p>'), width: 6, area: 'main', owner: 'stats' },
  { title: '', html: trustedHtml('<p class="mb-0">Hello from a plugin.</p>'), width: 6, area: 'top', owner: 'hello' },
];
const menu = (side: 'admin' | 'user'): unknown[] => [
  { title: '首页', icon: 'mdi-view-dashboard-outline', url: `/${side}/`, active: true, owner: 'core', order: 10, children: [] },
  { title: '订单列表', icon: 'mdi-receipt-text-outline', url: `/${side}/orders`, active: false, owner: 'core', order: 30, children: [] },
  {
    title: '系统管理',
    icon: 'mdi-cog-outline',
    url: '',
    active: false,
    owner: 'core',
    order: 80,
    children: [
      { title: '网站设置', icon: 'mdi-web', url: '/admin/settings?tab=site', active: false, owner: 'core', order: 10, children: [] },
    ],
  },
  {
    title: '空间商城',
    icon: 'mdi-store-outline',
    url: `/${side}/plugin.php?p=hosting_shop&page=plans`,
    active: false,
    owner: 'hosting_shop',
    order: 50,
    children: [],
  },
];
const host = {
  user: 'alice01',
  status: 'active',
  url: 'http://alice01.localhost:3080',
  node: 'local',
  created_at: '2026-10-01T00:00:00.000Z',
  expires_on: '2027-01-01',
  days_left: 41,
  web_used: 312,
  web_limit: 1024,
  database_used: 18,
  database_limit: 256,
  traffic_used: 7,
  traffic_limit: 0,
  domains_used: 1,
  domains: 5,
};
const domainsPage = {
  user: 'alice01',
  able: true,
  own_name: 'alice01.localhost',
  own_url: 'http://alice01.localhost:3080/',
  main_url: 'http://www.example.com:3080/',
  has_main: true,
  used: 2,
  limit: 5,
  most: 2_000,
  target: { type: 'CNAME', value: 'sites.example.com' },
};
const banners = [
  {
    id: 'default-password',
    level: 'danger',
    text: '您仍在使用默认密码。',
    action: { label: '修改密码', url: '/admin/settings?tab=account' },
  },
  {
    id: 'quarantine-shop',
    level: 'warning',
    text: '插件 shop 已停用。',
    action: { label: '重试', operation: 'plugin_retry', fields: { slug: 'shop' }, confirm: '确定重试？' },
  },
  { id: 'hello', level: 'info', text: '您好。' },
];
const failedSignIns = [{ network: '203.0.113.7', failures: 9, first: '2026-11-21 09:00:00', last: '2026-11-21 09:05:00', is_new: true }];
const adminPage = { site, account, menu: menu('admin'), bell: { unread: 3 } };
const userPage = { site, account: { username: 'alice01' }, menu: menu('user'), bell: { unread: 100 } };
const methods = [
  {
    type: 'epay__alipay',
    plugin: 'epay',
    plugin_name: '易支付',
    method: 'alipay',
    display_name: '支付宝',
    icon: 'mdi-wallet',
    sort: 1,
    enabled: true,
  },
  {
    type: 'sandbox__card',
    plugin: 'sandbox',
    plugin_name: 'Sandbox',
    method: 'card',
    display_name: '测试卡',
    icon: 'mdi-credit-card-outline',
    sort: 2,
    enabled: false,
  },
];
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
const config = { name: site.name, gg: '国庆期间照常开通。', qq: '10001', yzm: true, apikey: 'k-1234', apiqk: true, apiip: '192.0.2.1' };
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
const tabs = [{ id: 'hosting_shop', title: '空间商城', href: '/admin/settings?tab=hosting_shop' }];
const core_tabs = ['site', 'user', 'account', 'api', 'mail', 'payments', 'scans', 'idle'];
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
const orders = [
  order,
  { ...order, number: '20261121041533483', status: 'paid', user: 'bob' },
  { ...order, status: 'closed' },
  { ...order, status: 'refunded' },
  { ...order, status: 'partly_refunded' },
];
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

const wishes = {
  email: 'me@example.com',
  known: 'old@example.com',
  language: 'en',
  digest: true,
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
  problem: '渠道「值班手机」还缺少：主题。',
  fields: [
    { id: 'channel-topic', name: 'cs[topic]', type: 'text', required: true, label: '主题', value: 'alarm', placeholder: '', hint: '' },
    { id: 'channel-token', name: 'cs[token]', type: 'password', required: false, label: '令牌', value: '', placeholder: '', hint: '' },
  ],
  kinds: [{ kind: 'traffic', chosen: true }],
};
const problem = { site, title: '找不到页面', message: '请检查地址。', id: 'req-42', back: '/admin/' };
const payment = { site, order, back: '/pay/order/1?k=x', status_url: '/pay/order/1/status?k=x', done_url: '/user/orders' };
/** A list with a cell of every kind, all that can be done, and pages before and behind. */
const list = {
  id: 'rows',
  columns: [{ title: '编号', href: '/admin/rows?sort=id', sorted: 'descending' }, { title: '用户' }],
  rows: [
    {
      id: '12',
      cells: [
        { kind: 'code', label: '编号', text: '12', whole: false },
        { kind: 'text', label: '用户', text: 'alice01', whole: true },
        { kind: 'text', label: '备注', text: '', whole: false },
        { kind: 'money', label: '金额', text: '¥12.50', whole: false },
        { kind: 'link', label: '网站', text: 'alice.example.com', href: 'https://alice.example.com', whole: false },
        { kind: 'badge', label: '状态', text: '运行中', colour: 'green', whole: false },
        { kind: 'quota', label: '空间', text: '12 / 1024 MB', used: 12, limit: 1024, whole: false },
        { kind: 'progress', label: '进度', text: '40 / 100', used: 40, limit: 100, rest: '第 40 个主机', whole: false },
        { kind: 'brief', label: '结果', text: '失败', rest: '第二行', whole: false },
        {
          kind: 'named',
          label: '插件',
          text: '主机商店',
          whole: false,
          notes: [
            { lines: ['卖主机'], danger: false },
            { lines: ['启动失败'], danger: true },
            { lines: ['提示一', '提示二'], danger: false, fold: '提示（2）', open: true },
          ],
        },
      ],
      actions: [
        { label: '编辑', tone: '', then: 'list', dialog: 'edit', row: '{"id":"12"}' },
        { label: '打开', tone: 'primary', then: 'list', href: '/admin/rows/12' },
        {
          label: '删除',
          tone: 'danger',
          then: 'list',
          operation: 'zjsc',
          fields: '{"id":"12"}',
          confirm: '删除 alice01？',
          opens: 'url',
          shows: 'key',
        },
      ],
    },
  ],
  total: 61,
  page: 2,
  page_count: 4,
  pages: [
    { number: 1, href: '/admin/rows', current: false },
    { number: 2, href: '/admin/rows?page=2', current: true },
  ],
  sizes: [
    { size: 20, href: '/admin/rows', current: true },
    { size: 50, href: '/admin/rows?size=50', current: false },
  ],
  narrowed: { text: '仅显示一部分', href: '/admin/rows' },
  search: {
    path: '/admin/rows',
    kept: [{ name: 'sort', value: '-id' }],
    has_text: true,
    text: '爱丽丝',
    text_name: 'q',
    column: 'user',
    column_name: 'in',
    columns: [
      { value: 'user', title: '用户' },
      { value: 'ssbt', title: '服务器' },
    ],
    filters: [{ name: 'qk', label: '状态', value: 'paid', choices: [{ value: 'paid', title: '已支付' }] }],
    active: true,
    reset: '/admin/rows',
  },
  bulk: [{ label: '删除', operation: 'zjscxz', field: 'idsz', confirm: '删除 5 行？', tone: 'danger' }],
  has_actions: true,
  message: '',
  csv: '/admin/rows?export=rows',
  refresh: '/admin/rows?page=2',
};
const emptyList = {
  ...list,
  rows: [],
  total: 0,
  page: 1,
  page_count: 1,
  pages: [],
  sizes: [],
  search: null,
  bulk: [],
  message: '还没有任何内容',
};
const lists = Object.fromEntries(
  [
    'hosts',
    'outcomes',
    'host-history',
    'idle-hosts',
    'recycle-bin',
    'status-pages',
    'domains',
    'redirects',
    'passwords',
    'cache-rules',
    'servers',
    'agents',
    'matches',
    'allowed',
    'quarantine',
    'orders',
    'plugins',
    'plugin-calls',
    'events',
    'waiting',
    'health',
    'repairs',
    'jobs',
    'backups',
    'tasks',
    'sessions',
    'history',
    'log',
    'notices',
    'sent-notices',
    'announcements',
    'deliveries',
    'channels',
    'templates',
    'administrators',
    'roles',
    'monitors',
    'windows',
    'monitor-log',
    'status-monitors',
    'incidents',
    'incident-updates',
    'api-keys',
  ].map((id) => [id, { ...list, id }]),
);

const chart = {
  title: '最近 30 天收入',
  label: '日期',
  series: [
    { title: '收入', kind: 'bar' },
    { title: '订单', kind: 'line' },
  ],
  rows: ['2026-11-20', '2026-11-21'].map((label, at) => ({
    label,
    values: [
      { number: 990 * at, text: `¥${9.9 * at}` },
      { number: at, text: String(at) },
    ],
  })),
};

const monitor = {
  id: 7,
  user: 'alice01',
  name: '官网 <b>',
  task_type: 'url',
  url: 'https://www.example.com/?a=1&b=2',
  resource_type: 'web',
  resource_threshold: 80,
  method: 'GET',
  has_headers: 'true',
  record_type: 'A',
  warn_days: 14,
  interval_seconds: 60,
  timeout_seconds: 10,
  status_rule: 'range',
  status_value: '200-299',
  content_rule: 'contains',
  content_value: 'ok',
  fail_threshold: 2,
  hf_yz: 1,
  cs_jg: 30,
  cf_jg: 0,
  notify_email: 'true',
  upside_down: 'false',
  tags: 'shop,cn',
  enabled: 'true',
  state: 'down',
  state_since: '2026-11-21 12:00:00',
  last_run: '2026-11-21 12:01:00',
  next_run: '2026-11-21 12:02:00',
  last_ms: 87,
  last_error: '规则不匹配：状态码 503',
  last_push: '',
  uptime: '99.93 %',
  kind_text: 'monitors.kind_url',
  beats: [
    { ok: true, text: '2026-11-21 12:00:00 OK 80 ms' },
    { ok: false, text: '2026-11-21 12:01:00 503' },
  ],
};
const kinds = [{ value: 'url', text: 'monitors.kind_url', hint: 'monitors.kind_hint_url' }];
const monitorPage = {
  kind_text: 'monitors.kind_url',
  task: monitor,
  operations: { save: 'monitor_save', test: 'monitor_test', toggle: 'monitor_toggle', remove: 'monitor_del', push: 'monitor_push' },
  beats: monitor.beats,
  uptimes: [{ label: '24 h', value: '99.93 %' }],
  ranges: [{ label: '24 h', href: '/user/monitor?id=7&range=24h', current: true }],
  lists,
};
const monitorImport = { most: 1_000, megabytes: 4, operations: { look: 'monitor_import_look', run: 'monitor_import' } };
const monitorForm = {
  operation: 'monitor_save',
  back: '/user/monitors',
  methods: ['GET', 'HEAD', 'POST'],
  kind_text: 'monitors.kind_url',
  status_rules: [{ value: 'eq', text: 'monitors.rule_eq' }],
  content_rules: [{ value: 'none', text: 'monitors.content_none' }],
  records: ['A', 'TXT'],
  resources: [{ value: 'web', text: 'monitors.resource_web' }],
  server_resources: [{ value: 'load', text: 'monitors.server_load' }],
  agents: [{ id: 'node_1', name: 'bj01' }],
  has_upside_down: true,
};

const statusSettings = {
  lists,
  base: 'https://panel.example.com/status/',
  url: 'https://panel.example.com/status/acme',
  off_reason: '',
  page: { title: 'Acme <b>', slug: 'acme', is_public: true },
  row_version: '',
  severities: [{ value: 'minor', text: 'status.severity_minor' }],
  states: [{ value: 'resolved', text: 'status.state_resolved' }],
};
const incident = {
  title: '机房断电 <b>',
  severity: 'critical',
  state: 'resolved',
  started_at: '2026-11-20T02:00:00.000Z',
  resolved_at: '2026-11-20T04:00:00.000Z',
  updates: [{ state: 'resolved', at: '2026-11-20T04:00:00.000Z', html: trustedHtml('<p>供电已恢复</p>') }],
};
const statusView = {
  site,
  title: 'Acme <b>',
  state: 'down',
  monitors: [
    {
      name: '官网',
      state: 'down',
      percent: 99.93,
      bars: [
        { day: '2026-11-20', percent: 99.93, level: 'good' },
        { day: '2026-11-21', percent: null, level: 'none' },
      ],
    },
  ],
  open: [{ ...incident, state: 'monitoring', severity: 'minor', resolved_at: '' }],
  past: [incident],
  at: '2026-11-21T04:00:00.000Z',
  by_customer: true,
};

/** Every view of the default theme, some in several states. */
export const SAMPLE_VIEWS: SampleView[] = [
  { side: 'admin', view: 'login', vars: { site, captcha: true, message: '您已退出登录。', username: '' } },
  { side: 'admin', view: 'index', vars: { ...adminPage, stats, orders, chart, widgets, notices, banners, dead_letters: 3 } },
  { side: 'admin', view: 'components', vars: { ...adminPage, chart, lists: { sample: list } } },
  { side: 'admin', view: 'index', vars: { ...adminPage, stats, orders: [], widgets: [], notices: [], banners: [], dead_letters: 0 } },
  {
    side: 'admin',
    view: 'plugin',
    vars: { ...adminPage, title: '空间商城', content: trustedHtml('<div class="card"><div class="card-body">Plans</div></div>') },
  },
  { side: 'admin', view: 'plugins', vars: { ...adminPage, lists } },
  { side: 'admin', view: 'plugin-calls', vars: { ...adminPage, lists, slug: 'hosting_shop', log: { lines: 100, kb: 12, dropped: 4900 } } },
  {
    side: 'admin',
    view: 'servers',
    vars: {
      ...adminPage,
      lists,
      anyKind: true,
      kinds: [
        { type: 'embedded', taken: true },
        { type: 'agent', taken: false },
      ],
    },
  },
  { side: 'admin', view: 'settings', vars: { ...settings, tab: 'site' } },
  { side: 'admin', view: 'settings', vars: { ...settings, tab: 'account' } },
  { side: 'admin', view: 'settings', vars: { ...settings, tab: 'api' } },
  { side: 'admin', view: 'settings', vars: { ...settings, order_ttl: 24, tab: 'payments' } },
  { side: 'admin', view: 'settings', vars: { ...settings, methods: [], order_ttl: 0, tab: 'payments' } },
  { side: 'admin', view: 'settings', vars: { ...settings, tab: 'hosting_shop' } },
  { side: 'admin', view: 'settings', vars: { ...settings, tab: 'hosting_shop', content: trustedHtml('<p>Page of a plugin</p>') } },
  { side: 'admin', view: 'orders', vars: { ...adminPage, lists } },
  {
    side: 'admin',
    view: 'host',
    vars: {
      ...adminPage,
      lists,
      host: {
        id: '7',
        user: 'alice01',
        url: 'http://a/',
        ssbt: 'local',
        status: 'paused',
        qk: 'true',
        datae: '0000-00-00',
        data: '2026-01-01 00:00:00',
      },
      limits: [
        { label: 'hosts.web_space', unit: 'MB', max: 500, dq: 20, unenforced: false },
        { label: 'hosts.sql_space', unit: 'MB', max: 0, dq: 0, unenforced: true },
      ],
    },
  },
  {
    side: 'admin',
    view: 'connect-shop',
    vars: {
      ...adminPage,
      servers: [
        { id: 1, code: 'local', enabled: true },
        { id: 2, code: '<b>2</b>', enabled: false },
      ],
      server: { id: 2, code: '<b>2</b>', enabled: false },
      api_open: false,
      allowed: '192.0.2.1\n2001:db8::/32',
      callers: ['192.0.2.1'],
      address: { url: 'https://panel.example.com/api/api.php', host: 'panel.example.com', port: '443', secure: true },
      client_version: 15,
    },
  },
  {
    side: 'admin',
    view: 'host-bulk',
    vars: {
      ...adminPage,
      lists,
      task: { id: '7', running: true, deed: '续费', total: 20, through: 4, date: '', report: { done: 18, failed: 2 } },
    },
  },
  { side: 'admin', view: 'hosts', vars: { ...adminPage, lists, monitor_default: 5 } },
  { side: 'admin', view: 'agents', vars: { ...adminPage, lists } },
  { side: 'admin', view: 'scans', vars: { ...adminPage, chart, lists: { ...lists, scans: { ...emptyList, id: 'scans' } } } },
  { side: 'admin', view: 'allowed-words', vars: { ...adminPage, lists } },
  { side: 'admin', view: 'quarantine', vars: { ...adminPage, lists, kept_days: 30, unable: ['node-1'] } },
  { side: 'admin', view: 'settings', vars: { ...settings, tab: 'user' } },
  { side: 'admin', view: 'settings', vars: { ...settings, tab: 'scans' } },
  { side: 'admin', view: 'settings', vars: { ...settings, tab: 'idle' } },
  ...(['admin', 'user'] as const).flatMap((side): SampleView[] => {
    const page = {
      ...(side === 'admin' ? adminPage : userPage),
      lists,
      ...(side === 'admin' ? { host_id: '7', host_user: 'alice01' } : { host_id: '', host_user: '' }),
    };
    const files = {
      path: '/图片/2026',
      crumbs: [
        { name: '图片', href: `/${side}/files?path=1` },
        { name: '2026', href: `/${side}/files?path=2` },
      ],
      trash: `/${side}/files-trash`,
      used: 312,
      limit: 1024,
    };
    const edit = { path: '/look.css', name: 'look.css', back: `/${side}/files`, text: '<p>一</p>', row_version: '1', problem: '' };
    return [
      { side, view: 'files', vars: { ...page, ...files, able: true } },
      { side, view: 'files', vars: { ...page, ...files, able: false } },
      { side, view: 'files-trash', vars: { ...page, days: 30, back: `/${side}/files` } },
      { side, view: 'file-edit', vars: { ...page, ...edit } },
      { side, view: 'file-edit', vars: { ...page, ...edit, problem: '太大' } },
    ];
  }),
  { side: 'admin', view: 'domains', vars: { ...adminPage, lists, ...domainsPage, host_id: 7, target: null } },
  ...['pages', 'redirects', 'passwords', 'hotlink', 'speed'].map((tab) => ({
    side: 'user' as const,
    view: 'site-settings',
    vars: {
      ...userPage,
      lists,
      tab,
      tabs: [{ name: 'pages', text: 'siteset.tab_pages', href: '/user/site-settings?tab=pages' }],
      able: true,
      indexes: 'index.html,index.htm',
      run_folder: '',
      pages: { p403: '', p404: '/404.html', p503: '' },
      hotlink: { enabled: true, suffixes: 'jpg,png', domains: '*.example.com', allowEmpty: true, status: 404 },
      compression: { enabled: true, level: 6, min: '1k', types: 'text/css' },
    },
  })),
  { side: 'user', view: 'site-settings', vars: { ...userPage, lists, tab: 'pages', tabs: [], able: false } },
  { side: 'user', view: 'domains', vars: { ...userPage, lists, ...domainsPage } },
  { side: 'user', view: 'domains', vars: { ...userPage, lists, ...domainsPage, able: false } },
  {
    side: 'admin',
    view: 'recycle-bin',
    vars: { ...adminPage, lists, config: { hsts: 30 }, row_version: 'v', waiting: 12, most: 5, is_released: false },
  },
  { side: 'admin', view: 'idle-hosts', vars: { ...adminPage, lists, untold_domain: ['local'], untold_files: [] } },
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
  { side: 'admin', view: 'events', vars: { ...adminPage, lists } },
  { side: 'admin', view: 'notices', vars: { ...adminPage, lists } },
  { side: 'admin', view: 'sent-notices', vars: { ...adminPage, lists } },
  { side: 'admin', view: 'channels', vars: { ...adminPage, lists, types: [{ type: 'ntfy', title: 'ntfy' }] } },
  { side: 'user', view: 'channels', vars: { ...userPage, lists, types: [{ type: 'ntfy', title: 'ntfy' }] } },
  { side: 'admin', view: 'channel', vars: { ...adminPage, ...channel } },
  { side: 'user', view: 'channel', vars: { ...userPage, ...channel, id: 0 } },
  { side: 'admin', view: 'notice-templates', vars: { ...adminPage, lists } },
  { side: 'admin', view: 'notice-template', vars: { ...adminPage, ...template, is_own: false, defect: '' } },
  { side: 'admin', view: 'notice-template', vars: { ...adminPage, ...template } },
  { side: 'admin', view: 'deliveries', vars: { ...adminPage, lists } },
  { side: 'admin', view: 'notice-settings', vars: { ...adminPage, ...wishes } },
  { side: 'user', view: 'notice-settings', vars: { ...userPage, ...wishes, mail_ready: false } },
  {
    side: 'home',
    view: 'mail-link',
    vars: { site, title: '确认邮箱', text: '将通知发送到 a@b.c？', label: '确认', action: '/notices/mail?t=x' },
  },
  { side: 'home', view: 'mail-link', vars: { site, title: '确认邮箱', text: '已确认', label: '', action: '' } },
  { side: 'admin', view: 'announcements', vars: { ...adminPage, bell: { unread: 0 }, lists } },
  {
    side: 'admin',
    view: 'health',
    vars: {
      ...adminPage,
      lists,
      operations: [{ name: 'admin listzj', calls: 3, failed: 1, mean: 2.5, longest: 9 }],
      plugins: [{ name: 'shop', calls: 3, failed: 0, mean: 2.5, longest: 9 }],
      slow: { from: 200, queries: [{ text: 'SELECT ?', count: 2, mean: 250, longest: 300, callers: ['core admin listzj'] }] },
    },
  },
  {
    side: 'admin',
    view: 'repairs',
    vars: {
      ...adminPage,
      lists,
      running: false,
      last: {
        is_repair: false,
        fields: '{"xx":"[\\"1\\"]","xe":"true"}',
        counts: { would: 2, done: 0, left: 1, failed: 1 },
        more: 3,
        date: '2026-01-01 00:00:00',
      },
    },
  },
  {
    side: 'admin',
    view: 'news',
    vars: { ...adminPage, version: '1.84.0', releases: [{ version: '1.84.0', changes: ['<b>one</b>'], is_new: true }] },
  },
  { side: 'admin', view: 'jobs', vars: { ...adminPage, lists } },
  { side: 'admin', view: 'background', vars: { ...adminPage, lists, seconds: 2, away: true } },
  {
    side: 'admin',
    view: 'monitors',
    vars: { ...adminPage, lists, settings_fields: { jk_max: 5, neutral: '' }, neutral: '', held_since: '', kinds },
  },
  {
    side: 'admin',
    view: 'monitors',
    vars: {
      ...adminPage,
      lists,
      settings_fields: { jk_max: 5, neutral: '1.1.1.1:443' },
      neutral: '1.1.1.1:443',
      held_since: '2026-11-21T04:00:00.000Z',
      kinds,
    },
  },
  { side: 'admin', view: 'monitor', vars: { ...adminPage, ...monitorPage, chart } },
  {
    side: 'admin',
    view: 'monitor',
    vars: { ...adminPage, ...monitorPage, task: { ...monitor, task_type: 'push' }, chart: { ...chart, rows: [] } },
  },
  ...['url', 'tcp', 'dns', 'cert', 'domain', 'push', 'resource', 'server'].map((task_type) => ({
    side: 'admin' as const,
    view: 'monitor-form',
    vars: { ...adminPage, ...monitorForm, task: { ...monitor, task_type } },
  })),
  { side: 'admin', view: 'monitor-import', vars: { ...adminPage, ...monitorImport } },
  { side: 'user', view: 'monitor-import', vars: { ...userPage, ...monitorImport } },
  { side: 'user', view: 'monitors', vars: { ...userPage, monitors: [monitor], max: 5, kinds } },
  { side: 'user', view: 'monitors', vars: { ...userPage, monitors: [], max: 5, kinds } },
  { side: 'user', view: 'monitors', vars: { ...userPage, monitors: [monitor], max: 0, kinds } },
  { side: 'user', view: 'monitors', vars: { ...userPage, monitors: [], max: 0, kinds } },
  { side: 'user', view: 'monitor', vars: { ...userPage, ...monitorPage, chart } },
  ...(['admin', 'user'] as const).flatMap((side) => {
    const frame = side === 'admin' ? adminPage : userPage;
    return [
      { side, view: 'status', vars: { ...frame, ...statusSettings } },
      { side, view: 'status', vars: { ...frame, ...statusSettings, page: null, url: '' } },
      { side, view: 'status', vars: { ...frame, ...statusSettings, url: '', off_reason: '内容违规 <b>' } },
      { side, view: 'incident', vars: { ...frame, ...statusSettings, incident: { id: 3, title: '机房断电', state: 'monitoring' } } },
    ];
  }),
  { side: 'admin', view: 'status-pages', vars: { ...adminPage, lists } },
  { side: 'home', view: 'status', vars: statusView },
  ...['up', 'incident', 'maintenance', 'unknown'].map((state) => ({
    side: 'home' as const,
    view: 'status',
    vars: { ...statusView, state, monitors: [], open: [], past: [], by_customer: false },
  })),
  { side: 'user', view: 'monitor-form', vars: { ...userPage, ...monitorForm, task: { ...monitor, id: 0 } } },
  {
    side: 'admin',
    view: 'backups',
    vars: {
      ...adminPage,
      lists,
      has_key: true,
      daily_at: '03:30',
      keep: 7,
      place: { kind: 'folder', shown: '/srv/backups' },
      restore_command: 'svc restore',
      running: true,
    },
  },
  {
    side: 'admin',
    view: 'backups',
    vars: {
      ...adminPage,
      lists,
      has_key: false,
      place: { kind: 's3', shown: 'https://s3/panel/' },
      restore_command: 'svc restore',
      running: false,
    },
  },
  {
    side: 'admin',
    view: 'restored',
    vars: {
      ...adminPage,
      made_at: '2026-11-21 04:00:00',
      restored_at: '2026-11-22 09:00:00',
      hours: 29,
      content: [{ text: '主机', count: 12 }],
      would: [{ text: '个已过期的主机将被暂停。', count: 3 }],
    },
  },
  { side: 'admin', view: 'sessions', vars: { ...adminPage, lists, failed_sign_ins: failedSignIns } },
  { side: 'admin', view: 'log', vars: { ...adminPage, lists, log_days: 365 } },
  {
    side: 'admin',
    view: 'log-line',
    vars: {
      ...adminPage,
      line: {
        id: 7,
        czuser: 'admin',
        date: '2026-11-21 09:00:00',
        lx: 'zjsc',
        kind: 'zjsc',
        lxmc: '删除主机',
        lr: '删除主机 alice01',
        bg: '主机 12\n流量（GB）：10 → 20',
        ip: '192.0.2.1',
        qk: 'ok',
        bd: 'admin',
        zh_id: 1,
        rid: '0b8ff4f8',
      },
    },
  },
  { side: 'admin', view: 'administrators', vars: { ...adminPage, lists, roles: [{ id: 1, name: '客服' }] } },
  {
    side: 'admin',
    view: 'security',
    vars: { ...adminPage, second_factor: { enabled: true, codes: 2, since: '2026-11-21 09:00:00', required: false } },
  },
  { side: 'user', view: 'security', vars: { ...userPage, second_factor: { enabled: false, codes: 0, since: '', required: true } } },
  { side: 'admin', view: 'api-keys', vars: { ...adminPage, lists } },
  {
    side: 'admin',
    view: 'api-key',
    vars: {
      ...adminPage,
      key: { id: 0, name: '', addresses: '', expires: '', enabled: true },
      groups: [{ title: '主机', choices: [{ value: 'listzj,zjsj', label: '查看主机', chosen: false }] }],
      further: '',
    },
  },
  { side: 'admin', view: 'roles', vars: { ...adminPage, lists } },
  {
    side: 'admin',
    view: 'role',
    vars: {
      ...adminPage,
      role: { id: 1, name: '客服', limited: true },
      groups: [{ title: '主机', choices: [{ value: 'listzj,zjsj', label: '查看主机', chosen: true }] }],
      further: 'zj*',
      servers: [{ id: 1, code: 'local', chosen: true }],
    },
  },
  { side: 'admin', view: 'message', vars: { ...adminPage, title: '完成', message: '设置成功', href: '/admin/', label: '返回首页' } },
  { side: 'admin', view: 'error', vars: problem },
  { side: 'user', view: 'login', vars: { site, captcha: false, message: '', username: 'li"lei' } },
  { side: 'user', view: 'index', vars: { ...userPage, host, widgets, notice: trustedHtml(config.gg) } },
  {
    side: 'user',
    view: 'index',
    vars: { ...userPage, host: { ...host, status: 'paused', url: '', expires_on: null, domains: 0 }, widgets: [] },
  },
  { side: 'user', view: 'index', vars: { ...userPage, host: { ...host, status: 'provisioning' }, widgets: [] } },
  { side: 'user', view: 'plugin', vars: { ...userPage, title: '续费', content: trustedHtml('<p>Renew</p>') } },
  { side: 'user', view: 'orders', vars: { ...userPage, lists, banners } },
  { side: 'user', view: 'sessions', vars: { ...userPage, lists, failed_sign_ins: [] } },
  { side: 'user', view: 'notices', vars: { ...userPage, lists } },
  { side: 'user', view: 'announcements', vars: { ...userPage, announcements: [] } },
  {
    side: 'user',
    view: 'announcements',
    vars: {
      ...userPage,
      announcements: [{ id: 1, title: '机房维护', level: 'info', created_at: order.created_at, html: trustedHtml('<p>今晚。</p>') }],
    },
  },
  { side: 'user', view: 'password', vars: userPage },
  { side: 'user', view: 'closed', vars: { site, contact: 'QQ 10001' } },
  { side: 'user', view: 'error', vars: { site } },
  {
    side: 'home',
    view: 'index',
    vars: { site, notice: trustedHtml(config.gg), blocks: [{ element: 'block-offers', title: '优惠', html: trustedHtml('<p>…</p>') }] },
  },
  { side: 'home', view: 'error', vars: problem },
  {
    side: 'pay',
    view: 'choose',
    vars: { ...payment, methods, action: '/pay/order/1?k=x', selected: 'epay__alipay', error: '支付方式不可用' },
  },
  { side: 'pay', view: 'choose', vars: { ...payment, methods: [], action: '/pay/order/1?k=x' } },
  {
    side: 'pay',
    view: 'qrcode',
    vars: {
      ...payment,
      method_name: '支付宝',
      qrcode: trustedHtml('<svg viewBox="0 0 21 21"><path d="M0 0h7v7h-7zM14 0h7v7h-7zM0 14h7v7h-7zM9 9h3v3h-3z"/></svg>'),
    },
  },
  { side: 'pay', view: 'result', vars: payment },
  { side: 'pay', view: 'result', vars: { ...payment, order: { ...order, status: 'paid' } } },
  { side: 'pay', view: 'result', vars: { ...payment, order: { ...order, status: 'closed' } } },
  { side: 'pay', view: 'error', vars: problem },
];
