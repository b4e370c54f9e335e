import { trustedHtml } from '../trusted-html.js';
import { userPage, adminPage, lists, type SampleView } from './frame.js';

const statisticsPage = {
  able: true,
  user: 'alice01',
  ranges: [{ label: '24 h', href: '/user/statistics?range=24h', current: true }],
  totals: { requests: 1200, pages: 300, visitors: 41, sent: '12.5 MB' },
  is_empty: false,
  charts: [
    {
      title: '访问量',
      label: '时间',
      series: [{ title: '请求数', kind: 'bar' }],
      rows: [{ label: '08:00', values: [{ number: 12, text: '12' }] }],
    },
  ],
  ranks: [
    { title: 'statistics.page', rows: [{ name: '/<script>', count: 12, percent: 40.5 }], others: 3 },
    { title: 'statistics.referrer', rows: [], others: 0 },
  ],
  recent: [{ time: '2026-11-23 08:00:00', address: '192.0.2.1', request: 'GET /', status: 200, size: '1 KB' }],
  log_days: 30,
  months: 13,
  networks_only: false,
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
const certificatePage = {
  user: 'alice01',
  able: true,
  is_on: true,
  certificate: {
    names: ['example.com', 'www.example.com'],
    source: 'acme',
    issuer: "Let's Encrypt · E5",
    ends_at: '2026-12-31 00:00:00',
    days: 60,
    renews_at: '2026-12-01 00:00:00',
    revoked_at: '2026-11-01 00:00:00',
    force_https: true,
    url: 'https://www.example.com/',
  },
  uncovered: ['shop.example.com'],
  order: {
    id: 3,
    state: 'open',
    step: 'proving',
    step_text: '正在验证域名',
    done: 2,
    total: 5,
    names: ['shop.example.com'],
    problem: 'limited',
    problem_text: '颁发机构要求稍后再试',
    retry_at: '2026-11-01 00:00:00',
    created_at: '2026-11-01 00:00:00',
  },
  choices: [
    { name: 'www.example.com', chosen: true },
    { name: 'shop.example.com', chosen: false },
  ],
};
/** One-click programs. */
function programViews(): SampleView[] {
  const field = { name: 'title', label: 'Title', value: 'Mine', required: true, most: 20, number: false, options: ['red', 'blue'] };
  const fields = ['input', 'dxk', 'dxks', 'urlxz'].map((kind) => ({ ...field, kind, name: kind, required: kind !== 'dxk' }));
  const offered = {
    id: 3,
    name: 'Guest book',
    text: 'For a site',
    pictures: ['/uploads/programs/a.png'],
    price: '9.90',
    fits: true,
    problem: '',
  };
  const own = { ...userPage, able: true, program: offered, has: true, fields, newPassword: true, running: false, request: 'r' };
  const more = { web: 10, database: 0, on: true, form: '[]', steps: '[]', message: '', size: '1 MB', url: '', row_version: 'v' };
  const parts = [
    { name: 'php', label: 'Version', long: false, choices: [] },
    { name: 'nr', label: 'Text', long: true, choices: [] },
    { name: 'bt', label: 'Required', long: false, choices: [{ value: '是', text: 'Yes' }] },
  ];
  const kinds = [{ kind: 'setphp', title: 'PHP', parameters: 'php', parts }];
  const templates = [{ slug: 'wordpress', name: 'WordPress', chosen: true }];
  const hosts = [{ value: 7, text: 'host01', chosen: true }];
  const edited = {
    ...adminPage,
    program: { ...offered, ...more },
    templates: [],
    kinds,
    fieldKinds: kinds,
    hosts,
    host: 7,
    fields,
    problem: false,
  };
  const running = { able: true, running: true, refresh: '/user/programs' };
  return [
    { side: 'user', view: 'programs', vars: { ...userPage, lists: lists('programs', 'deployments'), ...running } },
    { side: 'user', view: 'programs', vars: { ...userPage, lists: lists('programs', 'deployments'), able: false } },
    {
      side: 'admin',
      view: 'host-programs',
      vars: { ...adminPage, lists: lists('deployments'), ...running, host_id: 7, host_user: 'host01' },
    },
    { side: 'admin', view: 'host-programs', vars: { ...adminPage, lists: lists('deployments'), able: false, host_id: 7 } },
    { side: 'user', view: 'program', vars: own },
    { side: 'user', view: 'program', vars: { ...own, has: false } },
    { side: 'user', view: 'program', vars: { ...own, program: { ...offered, fits: false, problem: 'No PHP' } } },
    { side: 'user', view: 'program', vars: { ...own, able: false } },
    { side: 'admin', view: 'deploy-programs', vars: { ...adminPage, lists: lists('deploy-programs') } },
    { side: 'admin', view: 'program', vars: edited },
    { side: 'admin', view: 'program', vars: { ...edited, templates, problem: true, program: { ...edited.program, id: 0, size: '' } } },
  ];
}
/** Views of hosts and their sites. */
export const HOSTING_VIEWS: SampleView[] = [
  {
    side: 'admin',
    view: 'host',
    vars: {
      ...adminPage,
      lists: lists('host-history'),
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
    view: 'host-bulk',
    vars: {
      ...adminPage,
      lists: lists('outcomes'),
      task: { id: '7', running: true, deed: '续费', total: 20, through: 4, date: '', report: { done: 18, failed: 2 } },
    },
  },
  {
    side: 'admin',
    view: 'hosts',
    vars: { ...adminPage, lists: lists('hosts'), monitor_default: 5, backup_default: 3, groups: [{ code: 'auto:web', name: '网站 <b>' }] },
  },
  {
    side: 'admin',
    view: 'statistics',
    vars: { ...adminPage, lists: lists('site-logs'), ...statisticsPage, host_id: 7, networks_only: true },
  },
  { side: 'user', view: 'statistics', vars: { ...userPage, lists: lists('site-logs'), ...statisticsPage } },
  {
    side: 'user',
    view: 'statistics',
    vars: { ...userPage, lists: lists('site-logs'), ...statisticsPage, is_empty: true, charts: [], recent: [] },
  },
  { side: 'user', view: 'statistics', vars: { ...userPage, lists: lists('site-logs'), able: false, user: 'alice01' } },
  ...(['admin', 'user'] as const).flatMap((side): SampleView[] => {
    const page = {
      ...(side === 'admin' ? adminPage : userPage),
      lists: lists('site-backups'),
      ...(side === 'admin' ? { host_id: '7', host_user: 'alice01' } : { host_id: '', host_user: '' }),
      able: true,
      used: 2,
      max: 3,
      running: false,
      schedule: '',
      schedule_default: 'weekly',
      next: '03:12',
      refresh: '/',
    };
    const view = side === 'admin' ? 'site-backups' : 'backups';
    return [{}, { running: true }, { max: 0, next: '' }, { able: false }].map((more) => ({ side, view, vars: { ...page, ...more } }));
  }),
  ...(['admin', 'user'] as const).flatMap((side): SampleView[] => {
    const page = {
      ...(side === 'admin' ? adminPage : userPage),
      ...(side === 'admin' ? { host_id: '7', host_user: 'alice01' } : { host_id: '', host_user: '' }),
    };
    const files = {
      lists: lists('files'),
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
      { side, view: 'files-trash', vars: { ...page, lists: lists('file-trash'), days: 30, back: `/${side}/files` } },
      { side, view: 'file-edit', vars: { ...page, ...edit } },
      { side, view: 'file-edit', vars: { ...page, ...edit, problem: '太大' } },
    ];
  }),
  { side: 'user', view: 'certificate', vars: { ...userPage, ...certificatePage } },
  {
    side: 'user',
    view: 'certificate',
    vars: { ...userPage, ...certificatePage, certificate: null, uncovered: [], is_on: false, order: null },
  },
  { side: 'user', view: 'certificate', vars: { ...userPage, able: false } },
  {
    side: 'admin',
    view: 'certificate',
    vars: {
      ...adminPage,
      ...certificatePage,
      host_id: 7,
      order: { ...certificatePage.order, state: 'failed', problem: 'dns' },
      choices: [],
    },
  },
  { side: 'admin', view: 'certificates', vars: { ...adminPage, lists: lists('certificates'), is_on: false, is_served: false } },
  { side: 'admin', view: 'domains', vars: { ...adminPage, lists: lists('domains'), ...domainsPage, host_id: 7, target: null } },
  ...['pages', 'redirects', 'passwords', 'hotlink', 'speed'].flatMap((tab) =>
    (['user', 'admin'] as const).map((side) => ({
      side,
      view: 'site-settings',
      vars: {
        ...(side === 'admin' ? { ...adminPage, host_id: 7, user: 'host01' } : userPage),
        lists: lists('redirects', 'passwords', 'cache-rules'),
        tab,
        tabs: [{ name: 'pages', text: 'siteset.tab_pages', href: '/user/site-settings?tab=pages' }],
        able: true,
        versions: { indexes: 'v', runFolder: 'v', rewrites: 'v', compression: 'v', hotlink: 'v', errorPages: 'v' },
        indexes: 'index.html,index.htm',
        run_folder: '',
        pages: { p403: '', p404: '/404.html', p503: '' },
        hotlink: { enabled: true, suffixes: 'jpg,png', domains: '*.example.com', allowEmpty: true, status: 404 },
        compression: { enabled: true, level: 6, min: '1k', types: 'text/css' },
        rewrites: 'location / { try_files $uri $uri/ /index.php?$args; }',
        templates: [{ name: 'WordPress', rules: 'location / { try_files $uri /index.php; }' }],
      },
    })),
  ),
  ...(['user', 'admin'] as const).flatMap((side): SampleView[] => {
    const log = { ...(side === 'admin' ? { ...adminPage, host_id: 7 } : userPage), user: 'host01', problem: '' };
    const page = { ...log, able: true };
    const [commands, databases] = [lists('commands'), lists('database-backups')].map((own) => ({ ...page, lists: own }));
    const php = {
      current: '8.2',
      versions: ['8.3', '8.2'].map((text) => ({ value: text.replace('.', ''), text, chosen: text === '8.2' })),
    };
    const runs = [
      { date: '2026-11-25 03:00:00', seconds: 2, exit: 0, output: 'done\n' },
      { date: '2026-11-24 03:00:00', seconds: 0, exit: -9, output: '' },
    ];
    const database = {
      database: { name: 'svc01234567', username: 'svc01234567', host: 'localhost', port: 3306, size: '12 MB', tables: 14 },
      addresses: '192.0.2.7',
      addresses_version: 'v',
      quota: 100,
      known: '2026-11-25 08:00:00',
      most: 3,
      can_sign_in: true,
      can_clear: true,
    };
    const access = { protocol: 'sftp', host: 'ftp.example.com', port: 22, login: 'svc01234567', enabled: true };
    return [
      { side, view: 'php', vars: { ...page, ...php } },
      { side, view: 'php', vars: { ...page, current: '', versions: [] } },
      { side, view: 'file-access', vars: { ...page, ...access } },
      { side, view: 'file-access', vars: { ...page, ...access, enabled: false } },
      {
        side,
        view: 'commands',
        vars: { ...commands, used: 1, most: 10, zone: 'Asia/Shanghai', schedules: [{ value: '0 3 * * *', text: '每天 03:00' }] },
      },
      { side, view: 'command', vars: { ...log, back: '/', line: 'php cron.php', when: '每天 03:00', runs } },
      { side, view: 'command', vars: { ...log, back: '/', line: 'php cron.php', when: '每天 03:00', runs: [] } },
      { side, view: 'command', vars: { ...log, back: '/', problem: '服务器没有响应' } },
      { side, view: 'database', vars: { ...databases, ...database } },
      { side, view: 'database', vars: { ...databases, ...database, known: '', most: 0, quota: 0, can_sign_in: false, can_clear: false } },
      ...Object.entries({ php: page, 'file-access': page, database: databases, commands }).flatMap(([view, own]) => [
        { side, view, vars: { ...own, problem: '服务器没有响应' } },
        { side, view, vars: { ...own, able: false } },
      ]),
    ];
  }),
  ...programViews(),
  { side: 'user', view: 'history', vars: { ...userPage, lists: lists('host-history') } },
  {
    side: 'user',
    view: 'site-settings',
    vars: { ...userPage, lists: lists('redirects', 'passwords', 'cache-rules'), tab: 'pages', tabs: [], able: false },
  },
  { side: 'user', view: 'domains', vars: { ...userPage, lists: lists('domains'), ...domainsPage } },
  { side: 'user', view: 'domains', vars: { ...userPage, lists: lists('domains'), ...domainsPage, able: false } },
  {
    side: 'admin',
    view: 'recycle-bin',
    vars: {
      ...adminPage,
      lists: lists('recycle-bin'),
      config: { hsts: 30 },
      row_version: 'v',
      waiting: 12,
      most: 5,
      is_released: false,
      has_jumped: false,
    },
  },
  {
    side: 'admin',
    view: 'what-will-happen',
    vars: { ...adminPage, lists: lists('coming'), reminders: '7, 3, 1, 0', grace: 3, keep: 30, waiting: 12, most: 5, is_released: false },
  },
  {
    side: 'admin',
    view: 'what-will-happen',
    vars: {
      ...adminPage,
      lists: lists('coming'),
      cut: 20_000,
      reminders: '',
      grace: 0,
      keep: 0,
      waiting: 0,
      most: 5,
      jump: { from: '2026-11-21T04:00:00Z', to: '2027-11-21T04:00:00Z' },
    },
  },
  { side: 'admin', view: 'idle-hosts', vars: { ...adminPage, lists: lists('idle-hosts'), untold_domain: ['local'], untold_files: [] } },
  { side: 'user', view: 'plugin', vars: { ...userPage, title: '续费', content: trustedHtml('<p>Renew</p>') } },
];
