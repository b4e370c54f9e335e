import type { DriverNode } from '../../driver/index.js';
import { serverProblem } from '../client/index.js';

/** Key of the field of a server that says where its sites lie. */
export const ROOT_FIELD = 'root';
export const STANDARD_ROOT = '/www/wwwroot';
/** Folder of archives of sites and databases, which outlive their sites. */
export const BACKUP_ROOT = '/www/backup';
/**
 * Names that may be part of a path of a call. The panel works as root and puts some paths into lines of a shell: nothing that means
 * something there, nor a beginning that would be an option.
 */
const SAFE_NAME = /^[\p{L}\p{N}\p{M}_.@+=,%^ -]{1,255}$/u;

/** Tells whether a name may be part of a path in a call. */
export function isSafeName(name: string): boolean {
  return SAFE_NAME.test(name) && !/^[ -]|[ .]$|^\.\.?$/.test(name) && name.isWellFormed() && Buffer.byteLength(name) <= 255;
}

/** Folder of a server's sites. */
export function rootOf({ settings }: DriverNode): string {
  return (settings[ROOT_FIELD] || STANDARD_ROOT).replace(/\/+$/, '');
}

/** Folder beside a site for its uploads and trash, out of reach of its visitors and programs. */
export function areaOf(node: DriverNode, siteName: string): string {
  return `${rootOf(node)}/.svc/${siteName}`;
}

/**
 * The folder of a site as its server says it, which must lie below the folder of all sites and be nothing above them.
 *
 * @throws PanelProblem SERVER_SETTING
 */
export function checkedSitePath(node: DriverNode, path: string): string {
  const root = rootOf(node);
  const parts = path.startsWith(`${root}/`) ? path.slice(root.length + 1).split('/') : [];
  if (parts.length === 0 || !parts.every(isSafeName) || parts[0] === '.svc') throw serverProblem('SERVER_SETTING', { what: path });
  return path;
}
