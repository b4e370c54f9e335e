import type { DriverNode } from '../../driver/index.js';
import { isRecord, type PanelClient, requireData, textOf } from '../client/index.js';

/** Returns the folder served instead of the web root: relative to it, without leading or trailing slashes. */
export async function runFolderOf(client: PanelClient, node: DriverNode, id: string, signal: AbortSignal): Promise<string> {
  const { runPath } = requireData(await client.call(node, '/site?action=GetDirUserINI', { id, path: '/' }, signal));
  return (isRecord(runPath) ? textOf(runPath.runPath) : '').replace(/^\/+|\/+$/g, '');
}
