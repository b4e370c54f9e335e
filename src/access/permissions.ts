/** Something an administrator can be allowed to do, told in words: text `access.permission.<id>`. */
export interface Permission {
  readonly id: string;
  /** Names of its operations. */
  readonly operations: readonly string[];
}

/** Permissions that belong together: text `access.group.<id>`. What no group names is offered by itself, under `other`. */
export const PERMISSION_GROUPS: readonly { readonly id: string; readonly permissions: readonly Permission[] }[] = [
  {
    id: 'hosts',
    permissions: [
      { id: 'hosts_see', operations: ['listzj', 'zjsj', 'listzjls'] },
      { id: 'hosts_open', operations: ['addzj'] },
      { id: 'hosts_change', operations: ['zjxgjl', 'zjmode', 'zjxf', 'zjczmm'] },
      { id: 'hosts_pause', operations: ['zjzt', 'zjjc', 'zjztwj', 'zjjcwj'] },
      { id: 'hosts_domains', operations: ['listurl', 'hqzmlls', 'urllb', 'tjurl', 'scurl', 'zyurl', 'jcurl'] },
      {
        id: 'hosts_settings',
        operations: [
          'set_init',
          'xgmrwd',
          'setyxml',
          'setgzip',
          'cache_list',
          'cacheadd',
          'cacheedit',
          'cachedel',
          'pass_list',
          'tjmmfw',
          'scmmfw',
          'getfdl',
          'fdlkg',
          'cdxlb',
          'cdxtj',
          'cdxsc',
          'cwymsz',
          'listphp',
          'phpxg',
          'hqjt',
          'setwjt',
        ],
      },
      { id: 'statistics_see', operations: ['site_stats', 'rzlb', 'rzxz'] },
      { id: 'statistics_settings', operations: ['tjsz'] },
      { id: 'certificates_see', operations: ['getssl', 'listssl', 'jcssl'] },
      { id: 'certificates_change', operations: ['sqssl', 'qxssl', 'setssl', 'clossl', 'httpsqz', 'xqssl'] },
      { id: 'certificates_settings', operations: ['zssz', 'zstk'] },
      { id: 'hosts_sign_in', operations: ['zjdl'] },
      { id: 'hosts_second', operations: ['zjf2'] },
      { id: 'hosts_idle', operations: ['listxz', 'xzjc', 'xzbl'] },
      { id: 'hosts_idle_settings', operations: ['jkscsz'] },
      { id: 'site_backups_see', operations: ['sitebackup_list', 'sitebackup_download'] },
      {
        id: 'site_backups_change',
        operations: ['sitebackup_make', 'sitebackup_stop', 'sitebackup_restore', 'sitebackup_del', 'sitebackup_plan'],
      },
      { id: 'site_backups_settings', operations: ['sitebackup_set', 'sitebackup_test'] },
      { id: 'files_see', operations: ['listfile', 'hqwj', 'hqdx', 'filetrash', 'rwsj', 'wjxz'] },
      {
        id: 'files_change',
        operations: [
          'setwj',
          'xjwj',
          'xjwjj',
          'ftpsc',
          'ftpscxz',
          'setname',
          'filetrash_restore',
          'filetrash_del',
          'filecp',
          'fileys',
          'ftpjy',
          'filejy',
          'sqldr',
          'file_upload_size',
          'fileupload',
          'file_upload_cancel',
        ],
      },
      { id: 'hosts_bulk', operations: ['zjpl', 'listzjpl'] },
      { id: 'hosts_delete', operations: ['zjsc', 'zjscxz'] },
      { id: 'bin_see', operations: ['lisths'] },
      { id: 'bin_restore', operations: ['zjhf'] },
      { id: 'bin_purge', operations: ['zjqc', 'hsqsz'] },
      { id: 'deletions_release', operations: ['zjscfx'] },
    ],
  },
  {
    id: 'servers',
    permissions: [
      { id: 'servers_see', operations: ['listbt', 'btsj', 'btztjc', 'list_node_php'] },
      { id: 'servers_change', operations: ['addbt', 'xgjl', 'auto_detect_node_php', 'set_node_php'] },
      { id: 'servers_drift', operations: ['btzj', 'listbtzj', 'zjtb', 'bttb'] },
      { id: 'servers_delete', operations: ['btsc'] },
      { id: 'shops', operations: ['djcs'] },
      { id: 'servers_keys', operations: ['btmyck', 'btmygx', 'btmyjs'] },
    ],
  },
  {
    id: 'agents',
    permissions: [
      { id: 'agents_see', operations: ['listnode', 'nodestats', 'nodeconfig', 'listnodetask'] },
      { id: 'agents_change', operations: ['addnode', 'delnode', 'setnodestatus', 'nodemycz', 'nodeping'] },
      { id: 'scans_see', operations: ['listforbiddenscan', 'listforbiddenmatch', 'get_global_keywords', 'listwjbmd', 'wjctj', 'listwjgl'] },
      { id: 'quarantine', operations: ['wjgl', 'wjglhf'] },
      { id: 'quarantine_delete', operations: ['wjglsc'] },
      { id: 'scans_run', operations: ['nodeforbiddenscan', 'clearoldscans', 'savescancfg', 'wjbmdtj', 'wjbmdsc'] },
    ],
  },
  {
    id: 'monitors',
    permissions: [
      { id: 'monitors_see', operations: ['listjk', 'jksj', 'listjkrz', 'listjkwh'] },
      { id: 'monitors_change', operations: ['jkbc', 'jkkg', 'jksc', 'jkcs', 'jkts', 'jkdryl', 'jkdr'] },
      { id: 'monitors_windows', operations: ['jkwh', 'jkwhsc'] },
      { id: 'monitors_settings', operations: ['jksz'] },
      { id: 'status_see', operations: ['status_page', 'status_monitors', 'incident_list', 'incident_updates'] },
      { id: 'status_change', operations: ['status_save', 'status_show'] },
      { id: 'status_customers_see', operations: ['status_list'] },
      { id: 'status_customers', operations: ['status_off', 'status_on'] },
      {
        id: 'incidents',
        operations: [
          'incident_add',
          'incident_change',
          'incident_del',
          'incident_update_add',
          'incident_update_change',
          'incident_update_del',
        ],
      },
    ],
  },
  {
    id: 'orders',
    permissions: [
      { id: 'orders_see', operations: ['listdd', 'ddsj'] },
      { id: 'orders_make', operations: ['adddd'] },
      { id: 'orders_second', operations: ['zftk'] },
      { id: 'orders_settings', operations: ['listzffs', 'setdd', 'setpaymethods'] },
    ],
  },
  {
    id: 'notices',
    permissions: [
      { id: 'notices', operations: ['listtz', 'tzfs', 'tzsc'] },
      { id: 'announcements', operations: ['gglist', 'ggtj', 'ggxg', 'ggsc'] },
      { id: 'channels', operations: ['listtd', 'tdbc', 'tdcs', 'tdsc'] },
      { id: 'notice_templates', operations: ['listmb', 'mbbc', 'mbyl'] },
      { id: 'deliveries', operations: ['listtdjl', 'tdcf'] },
    ],
  },
  {
    id: 'system',
    permissions: [
      { id: 'mail', operations: ['mailmode', 'mailcs'] },
      { id: 'site', operations: ['setwz', 'setkzmb'] },
      { id: 'home_page', operations: ['save_home_settings', 'home_upload_icon', 'home_upload_image'] },
      { id: 'api', operations: ['setapi', 'apimyck', 'apimygx'] },
      { id: 'plugins_see', operations: ['plugin_list', 'plugin_calls'] },
      {
        id: 'plugins_change',
        operations: ['plugin_install', 'plugin_enable', 'plugin_uninstall', 'plugin_retry', 'plugin_safe_mode', 'szbc'],
      },
    ],
  },
  {
    id: 'activity',
    permissions: [
      { id: 'log_see', operations: ['listlog', 'logsj', 'loglx', 'logdc'] },
      { id: 'log_delete', operations: ['logsc', 'logscxz', 'logclear', 'logsz'] },
      { id: 'events', operations: ['listsj', 'listsjdd', 'sjcs', 'sjcsxz', 'sjhl'] },
      { id: 'limits_see', operations: ['sxlist'] },
      { id: 'limits_reset', operations: ['sxcz'] },
      { id: 'health', operations: ['jkjc'] },
      { id: 'repairs', operations: ['xflist', 'xtxf'] },
      { id: 'jobs', operations: ['jhlist', 'jhrun'] },
      { id: 'background', operations: ['rwlist', 'rwqx', 'rwcs'] },
      { id: 'backups_see', operations: ['bflist'] },
      { id: 'backups', operations: ['bfadd', 'bfxz', 'bfsc', 'bfsz', 'bfmy', 'bffx'] },
    ],
  },
  {
    id: 'access',
    permissions: [
      { id: 'administrators', operations: ['listadmin', 'addadmin', 'adminxg', 'adminsc', 'adminf2'] },
      { id: 'roles', operations: ['listjs', 'jsbc', 'jssc'] },
      { id: 'keys', operations: ['listmy', 'addmy', 'myxg', 'mysc'] },
    ],
  },
];

/** What only keys of programs can be allowed: `api.<gn>` of the provisioning API. */
export const PROVISIONING_GROUP: (typeof PERMISSION_GROUPS)[number] = {
  id: 'provisioning',
  permissions: [
    { id: 'api_check', operations: ['api.cfif', 'api.ztcx'] },
    { id: 'api_open', operations: ['api.kt'] },
    { id: 'api_pause', operations: ['api.zt', 'api.jc'] },
    { id: 'api_renew', operations: ['api.xf'] },
    { id: 'api_change', operations: ['api.zjmode', 'api.czmm', 'api.start', 'api.stop'] },
    { id: 'api_link', operations: ['api.dl'] },
    { id: 'api_delete', operations: ['api.tz'] },
  ],
};
