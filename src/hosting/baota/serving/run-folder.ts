import type { DriverNode } from '../../driver/index.js';
import { isRecord, type PanelClient, requireData, textOf } from '../client/index.js';

/** What is served in place of the web root, below it and without slashes around it. */
export async function runFolderOf(client: PanelClient, node: DriverNode, id: string, signal: AbortSignal): Promise<string> {
  const { runPath } = requireData(await client.call(node, '/site?action=GetDirUserINI', { id, path: '/' }, signal));
  return (isRecord(runPath) ? textOf(runPath.runPath) : '').replace(/^\/+|\/+$/g, '');
}
