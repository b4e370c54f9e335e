import type { DriverNode } from '../../driver/index.js';
import { serverProblem } from '../client/index.js';

/** Key of the server setting with the folder of all sites. */
export const ROOT_FIELD = 'root';
export const STANDARD_ROOT = '/www/wwwroot';
/** Folder of archives of sites and databases, which are kept when their site is deleted. */
export const BACKUP_ROOT = '/www/backup';
/**
 * Names allowed in paths of calls. The panel works as root and inserts some paths into shell commands, so shell metacharacters and names
 * that look like options are excluded.
 */
const SAFE_NAME = /^[\p{L}\p{N}\p{M}_.@+=,%^ -]{1,255}$/u;

/** Returns whether a name may be part of a path in a call. */
export function isSafeName(name: string): boolean {
  return SAFE_NAME.test(name) && !/^[ -]|[ .]$|^\.\.?$/.test(name) && name.isWellFormed() && Buffer.byteLength(name) <= 255;
}

/** Returns the folder of a server's sites. */
export function rootOf({ settings }: DriverNode): string {
  return (settings[ROOT_FIELD] || STANDARD_ROOT).replace(/\/+$/, '');
}

/** Returns the folder for a site's uploads and trash, out of reach of its visitors and programs. */
export function areaOf(node: DriverNode, siteName: string): string {
  return `${rootOf(node)}/.svc/${siteName}`;
}

/**
 * Checks the folder of a site as reported by its server, which must be below the folder of all sites.
 *
 * @throws PanelProblem SERVER_SETTING
 */
export function checkedSitePath(node: DriverNode, path: string): string {
  const root = rootOf(node);
  const parts = path.startsWith(`${root}/`) ? path.slice(root.length + 1).split('/') : [];
  if (parts.length === 0 || !parts.every(isSafeName) || parts[0] === '.svc') throw serverProblem('SERVER_SETTING', { what: path });
  return path;
}
