/**
 * Problems that can keep a server from doing anything, whatever the request.
 * - `DISK_FULL` its disk is full; `PANEL_DISK` that of the panel is, where files of its sites are processed
 * - `PANEL_ADDRESS` its address is not configured; `PANEL_KEY` it rejects the key; `PANEL_IP` it rejects requests from the address `ip`;
 *   `PANEL_BANNED` it blocks us after too many wrong keys
 * - `PANEL_API_OFF` the response is not from a server panel, or its API is disabled
 * - `CERTIFICATE_UNKNOWN` its certificate is not trusted; `CERTIFICATE_CHANGED` it is not the pinned one;
 *   `fingerprint` is the present one
 * - `SITE_FOREIGN` the site carries the mark of another owner
 * - `SERVER_PHP_NONE` no PHP is installed; `SERVER_PARTIAL` it created a site only in part, which was removed again: `text` is what is
 * missing
 * - `SERVER_NAME`, `SERVER_PASSWORD` it does not accept the user name or password; `SERVER_TAKEN` the name `name` is already used there;
 *   `SERVER_DOMAIN` another site there has the domain `name`
 * - `SERVER_SETTING` it does not support `what`
 * - `AGENT_NONE` its agent has not connected yet; `AGENT_SILENT` its agent has been silent for a minute; `SCAN_ONLY` its agent only scans
 * - `CONNECT_REFUSED` nothing answers at `address`; `CONNECT_NAME` it cannot be resolved; `CONNECT_TIMEOUT` it did not answer in time;
 *   `CONNECT_TLS` it does not speak https
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

/** Returns the text key of a general server problem; null for a code of a port. */
export function serverProblemText(code: string): string | null {
  return code in TEXTS ? TEXTS[code as ServerProblemCode] : null;
}
