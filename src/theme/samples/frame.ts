import { CORE_OWNER } from '../../common/index.js';
import { trustedHtml } from '../trusted-html.js';
import type { ThemeSide } from '../names.js';

/** A view of the default theme with example values like those of its controller. */
export interface SampleView {
  side: ThemeSide;
  view: string;
  vars: Record<string, unknown>;
}

export const site = { name: '云帆主机', logo: { login: '', index: '', head: '' }, footer: '© 2026 Cloud Sail', hero: '' };
export const account = { username: 'admin' };
export const order = {
  number: '20261121041533482',
  name: '入门型 · 1 个月',
  amount: 990,
  status: 'unpaid',
  user: 'alice01',
  created_at: '2026-11-21T04:15:33.000Z',
};
export const menu = (side: 'admin' | 'user'): unknown[] => [
  { title: '首页', icon: 'mdi-view-dashboard-outline', url: `/${side}/`, active: true, owner: CORE_OWNER, order: 10, children: [] },
  {
    title: '订单列表',
    icon: 'mdi-receipt-text-outline',
    url: `/${side}/orders`,
    active: false,
    owner: CORE_OWNER,
    order: 30,
    children: [],
  },
  {
    title: '系统管理',
    icon: 'mdi-cog-outline',
    url: '',
    active: false,
    owner: CORE_OWNER,
    order: 80,
    children: [
      { title: '网站设置', icon: 'mdi-web', url: '/admin/settings?tab=site', active: false, owner: CORE_OWNER, order: 10, children: [] },
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
export const banners = [
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
export const adminPage = { site, account, menu: menu('admin'), bell: { unread: 3 } };
export const userPage = { site, account: { username: 'alice01' }, menu: menu('user'), bell: { unread: 100 } };
export const methods = [
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
export const config = {
  name: site.name,
  gg: '国庆期间照常开通。',
  qq: '10001',
  yzm: true,
  apikey: 'k-1234',
  apiqk: true,
  apiip: '192.0.2.1',
};
export const problem = { site, title: '找不到页面', message: '请检查地址。', id: 'req-42', back: '/admin/' };
/** A list with every kind of cell, all actions, and pages before and after. */
export const list = {
  id: 'rows',
  columns: [{ title: '编号', href: '/admin/rows?sort=id', sorted: 'descending' }, { title: '用户' }],
  sorting: {
    path: '/admin/rows',
    kept: [{ name: 'q', value: '爱丽丝' }],
    name: 'sort',
    choices: [
      { value: 'id', title: '编号', ascending: true, chosen: false },
      { value: '-id', title: '编号', ascending: false, chosen: true },
    ],
  },
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
        { kind: 'moment', label: '登录时间', text: '2026-01-31T08:00:00.000Z', whole: true },
        { kind: 'day', label: '更新', text: '2026-01-31T08:00:00.000Z', whole: true },
        { kind: 'number', label: '下载量', text: '1234567', whole: false },
        {
          kind: 'pieces',
          label: '对象',
          text: 'alice',
          whole: false,
          pieces: [
            { kind: 'avatar', text: 'a', href: '' },
            { kind: 'avatar', text: 'a', href: '/uploads/images/a.png' },
            { kind: 'badge', text: '插件', colour: 'blue' },
            { kind: 'link', text: 'alice', href: '/store/review/items/1' },
            { kind: 'code', text: 'abc123' },
            { kind: 'text', text: '两行\n文字' },
          ],
        },
        {
          kind: 'details',
          label: '详情',
          text: '备注: 好',
          whole: false,
          details: [{ label: '备注', pieces: [{ kind: 'text', text: '好' }] }],
        },
        {
          kind: 'bars',
          label: '最近检查',
          text: '1 / 2',
          whole: false,
          bars: [
            { ok: true, text: '2026-11-21 12:00:00 正常 <b>' },
            { ok: false, text: '2026-11-21 12:01:00 503' },
          ],
        },
        { kind: 'brief', label: '结果', text: '失败', rest: '第二行', whole: false },
        {
          kind: 'named',
          label: '插件',
          text: '主机商店',
          whole: false,
          notes: [
            { lines: ['卖主机'], danger: false },
            { lines: ['启动失败'], danger: true },
            { lines: ['ping'], danger: false, code: true },
            { lines: ['提示一', '提示二'], danger: false, fold: '提示（2）', open: true },
          ],
        },
      ],
      actions: [
        { kind: 'dialog', number: 0, label: '编辑', look: 'btn btn-sm', dialog: 'edit' },
        { kind: 'link', number: 1, label: '打开', look: 'btn btn-sm btn-primary', href: '/admin/rows/12' },
        {
          kind: 'form',
          number: 2,
          label: '结束',
          look: 'btn btn-sm',
          post: '/store/account/sessions/12/end',
          inputs: [{ name: 'id', value: '12' }],
          confirm: '结束？',
        },
        {
          kind: 'operation',
          number: 3,
          label: '删除',
          look: 'btn btn-sm btn-outline-danger',
          operation: 'zjsc',
          fields: '{"id":"12"}',
          confirm: '删除 alice01？',
          opens: 'url',
          shows: 'key',
          then: 'list',
        },
      ],
      menu: '4 5',
    },
  ],
  menu: [
    { kind: 'link', number: 4, label: '文件', look: 'dropdown-item' },
    {
      kind: 'operation',
      number: 5,
      label: '停止',
      look: 'dropdown-item text-danger',
      operation: 'zjtd',
      confirm: '停止 {user}？',
      then: 'reload',
    },
  ],
  row_values: trustedHtml(
    '{"fills":{"0":["id"]},"rows":[{"row":{"id":"12","user":"alice01"},"hrefs":{"4":"/admin/files?id=12"},"fields":{}}]}',
  ),
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
  totals: [{ title: '收款', text: '¥1,280.00' }],
  search: {
    path: '/admin/rows',
    kept: [{ name: 'sort', value: '-id' }],
    has_text: true,
    text: '爱丽丝',
    text_name: 'q',
    text_hint: '用户名',
    text_most: 100,
    column: 'user',
    column_name: 'in',
    columns: [
      { value: 'user', title: '用户' },
      { value: 'ssbt', title: '服务器' },
    ],
    filters: [
      { name: 'qk', label: '状态', value: 'paid', choices: [{ value: 'paid', title: '已支付' }], amount: false },
      { name: 'least', label: '最低价', value: '9.90', choices: [], amount: true },
    ],
    active: true,
    reset: '/admin/rows',
  },
  bulk: [{ label: '删除', operation: 'zjscxz', field: 'idsz', confirm: '删除 5 行？', tone: 'danger' }],
  has_actions: true,
  message: '',
  hint: '',
  first: { href: '/admin/rows-new', label: '新建' },
  csv: '/admin/rows?export=rows',
  refresh: '/admin/rows?page=2',
};
export const emptyList = {
  ...list,
  rows: [],
  menu: [],
  row_values: null,
  total: 0,
  page: 1,
  page_count: 1,
  pages: [],
  sizes: [],
  search: null,
  bulk: [],
  message: '还没有任何内容',
  hint: '在上面新建一个。',
};
/** Template variable `lists`: those of its page, by id. */
export const lists = (...ids: string[]): Record<string, unknown> => Object.fromEntries(ids.map((id) => [id, { ...list, id }]));
export const chart = {
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
