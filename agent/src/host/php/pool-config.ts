import type { SiteRecord } from '../records/site-record.js';
import { isServed } from '../records/site-record.js';

/** Paths of a pool. */
export interface PoolPaths {
  /** Folder of the site. */
  readonly home: string;
  readonly socket: string;
  readonly webUser: string;
}

/** Maximum number of PHP processes per site. */
const MAX_PROCESSES = 8;
/** Functions disabled in PHP: all that start programs or load native code. */
const DISABLED =
  'exec,passthru,shell_exec,system,proc_open,popen,pcntl_exec,pcntl_fork,dl,opcache_get_status,opcache_get_configuration,ffi';

/**
 * Builds the pool configuration of a site: its own user, its own folders for sessions and temporary files, no paths outside of it. The site
 * cannot change `php_admin_value`. Contains only names the agent assigned, no values of tasks.
 */
export function poolConfig(site: Pick<SiteRecord, 'user'>, { home, socket, webUser }: PoolPaths, name = site.user): string {
  const open = ['public', 'tmp', 'sessions'].map((folder) => `${home}/${folder}`);
  return `; ${name}: written by svc-agent, again with every change.
[${name}]
user = ${site.user}
group = ${site.user}
listen = ${socket}
listen.owner = ${webUser}
listen.group = ${webUser}
listen.mode = 0600
pm = ondemand
pm.max_children = ${MAX_PROCESSES}
pm.process_idle_timeout = 20s
pm.max_requests = 1000
request_terminate_timeout = 300s
chdir = ${home}
security.limit_extensions = .php .phtml .phar
clear_env = yes
env[TMPDIR] = ${home}/tmp
env[HOME] = ${home}
php_admin_value[open_basedir] = ${open.map((folder) => `${folder}/`).join(':')}
php_admin_value[upload_tmp_dir] = ${home}/tmp
php_admin_value[sys_temp_dir] = ${home}/tmp
php_admin_value[session.save_path] = ${home}/sessions
php_admin_value[error_log] = ${home}/tmp/php-errors.log
php_admin_value[doc_root] = ""
php_admin_value[disable_functions] = ${DISABLED}
php_admin_value[opcache.restrict_api] = /nonexistent
php_admin_value[opcache.validate_permission] = 1
php_admin_value[mysqli.allow_local_infile] = 0
php_admin_flag[allow_url_include] = off
php_admin_flag[enable_dl] = off
php_admin_flag[expose_php] = off
php_admin_flag[log_errors] = on
php_flag[display_errors] = off
`;
}

/** Builds the Adminer pool of a site: the same user, with access to Adminer and its sessions but not to the site's files. */
export function adminerPool({ user }: Pick<SiteRecord, 'user'>, paths: PoolPaths, script: string): string {
  const { home } = paths;
  const own = ['/usr/share/adminer/', `${script}/`, `${home}/adminer/`, `${home}/tmp/`].join(':');
  return poolConfig({ user }, paths, `${user}-adminer`)
    .replace(/^php_admin_value\[open_basedir\] = .*$/m, `php_admin_value[open_basedir] = ${own}`)
    .replace(/^php_admin_value\[session\.save_path\] = .*$/m, `php_admin_value[session.save_path] = ${home}/adminer`)
    .replace(/^pm\.max_children = .*$/m, 'pm.max_children = 2');
}

/** Whether a site needs a pool of a version now. */
export function hasPool(site: SiteRecord, version: string): boolean {
  return site.php === version && isServed(site);
}

/**
 * Builds the master configuration of a version. All pools share the opcode cache, so `opcache.validate_permission` makes each check whether
 * it may read a file.
 */
export function masterConfig(folder: string, run: string, version: string): string {
  return `; Written by svc-agent, again with every start.
[global]
error_log = syslog
log_level = warning
process_control_timeout = 10s
emergency_restart_threshold = 10
emergency_restart_interval = 1m

; A master needs a pool; this one answers nobody.
[svc-none]
user = nobody
group = nogroup
listen = ${run}/php-${version}-none.sock
listen.mode = 0600
pm = ondemand
pm.max_children = 1

include = ${folder}/pools/*.conf
`;
}
