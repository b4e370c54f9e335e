import { SEALED_MARK, type Secrets } from '../../config/index.js';
import type { Database } from '../../database/index.js';
import { DriverNodes } from '../driver/index.js';
import { HostingNode } from '../entities/index.js';

/**
 * Seals keys of server panels that a version of before left in plain text, or a backup of one. Runs under the start-up lock, at every start.
 */
export async function sealPanelKeys(database: Database, secrets: Secrets): Promise<void> {
  const nodes = new DriverNodes(secrets);
  const rows = database.repository(HostingNode);
  const plain = await rows
    .createQueryBuilder('node')
    .where("node.sealedPanelKey <> '' AND node.sealedPanelKey NOT LIKE :sealed", { sealed: `${SEALED_MARK}%` })
    .getMany();
  for (const { id, sealedPanelKey: key } of plain) await rows.update({ id, sealedPanelKey: key }, { sealedPanelKey: nodes.sealKey(key) });
}
