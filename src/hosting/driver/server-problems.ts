/**
 * What keeps a server from doing anything at all, whatever it is asked for.
 * - `DISK_FULL` its disk; `PANEL_DISK` that of the panel, on which files of its sites are worked on
 * - `PANEL_ADDRESS` nobody said where it is; `PANEL_KEY` it does not know the key; `PANEL_IP` it answers nobody from the address `ip`;
 *   `PANEL_BANNED` too many wrong keys came from here
 * - `PANEL_API_OFF` what answers is no server panel, or one whose API is switched off
 * - `CERTIFICATE_UNKNOWN` nobody known vouches for its certificate; `CERTIFICATE_CHANGED` it is not the one it had;
 *   `fingerprint` is the one it shows
 * - `SITE_FOREIGN` the site carries the mark of another owner
 * - `SERVER_PHP_NONE` no PHP is installed; `SERVER_PARTIAL` it made a site in part, which was taken back: `text` is what is missing
 * - `SERVER_NAME`, `SERVER_PASSWORD` it takes no such user name or password; `SERVER_TAKEN` something else there has the name `name`;
 *   `SERVER_DOMAIN` another site there has the domain `name`
 * - `SERVER_SETTING` it cannot do `what`
 * - `AGENT_NONE` no agent has come from it yet; `AGENT_SILENT` its agent was not heard for a minute; `SCAN_ONLY` its agent only scans
 * - `CONNECT_REFUSED` nothing answers at `address`; `CONNECT_NAME` no name server knows that; `CONNECT_TIMEOUT` nothing came back from
 *   there in time; `CONNECT_TLS` what answers there speaks no https
 */
export type ServerProblemCode =
  | 'DISK_FULL'
  | 'PANEL_DISK'
  | 'PANEL_ADDRESS'
  | 'PANEL_KEY'
  | 'PANEL_IP'
  | 'PANEL_BANNED'
  | 'PANEL_API_OFF'
  | 'CERTIFICATE_UNKNOWN'
  | 'CERTIFICATE_CHANGED'
  | 'SITE_FOREIGN'
  | 'SERVER_PHP_NONE'
  | 'SERVER_PARTIAL'
  | 'SERVER_NAME'
  | 'SERVER_PASSWORD'
  | 'SERVER_TAKEN'
  | 'SERVER_DOMAIN'
  | 'SERVER_SETTING'
  | 'AGENT_NONE'
  | 'AGENT_SILENT'
  | 'SCAN_ONLY'
  | 'CONNECT_REFUSED'
  | 'CONNECT_NAME'
  | 'CONNECT_TIMEOUT'
  | 'CONNECT_TLS';

const TEXTS: Readonly<Record<ServerProblemCode, string>> = {
  DISK_FULL: 'hosting.disk_full',
  PANEL_DISK: 'hosting.panel_disk',
  PANEL_ADDRESS: 'hosting.panel_address',
  PANEL_KEY: 'hosting.panel_key_wrong',
  PANEL_IP: 'hosting.panel_ip',
  PANEL_BANNED: 'hosting.panel_banned',
  PANEL_API_OFF: 'hosting.panel_api_off',
  CERTIFICATE_UNKNOWN: 'hosting.certificate_unknown',
  CERTIFICATE_CHANGED: 'hosting.certificate_changed',
  SITE_FOREIGN: 'hosting.site_foreign',
  SERVER_PHP_NONE: 'hosting.server_php_none',
  SERVER_PARTIAL: 'hosting.server_partial',
  SERVER_NAME: 'hosting.server_name',
  SERVER_PASSWORD: 'hosting.server_password',
  SERVER_TAKEN: 'hosting.server_taken',
  SERVER_DOMAIN: 'hosting.server_domain',
  SERVER_SETTING: 'hosting.server_setting',
  AGENT_NONE: 'hosting.agent_none',
  AGENT_SILENT: 'hosting.agent_silent',
  SCAN_ONLY: 'hosting.agent_scan_only',
  CONNECT_REFUSED: 'hosting.connect_refused',
  CONNECT_NAME: 'hosting.connect_name',
  CONNECT_TIMEOUT: 'hosting.connect_timeout',
  CONNECT_TLS: 'hosting.connect_tls',
};

/** Key of the words of a problem every kind of server may have; null for one of a port's own. */
export function serverProblemText(code: string): string | null {
  return code in TEXTS ? TEXTS[code as ServerProblemCode] : null;
}
