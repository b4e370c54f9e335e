import { Clock } from '../../common/index.js';
import { SEALED_MARK, type Secrets } from '../../config/index.js';
import type { Database } from '../../database/index.js';
import { DriverNodes } from '../driver/index.js';
import { HostingNode } from '../entities/index.js';

import { CallingKeys } from './calling-keys.js';

/**
 * Encrypts server keys that an older version, or a restored backup of one, stored in plain text, and generates calling keys for nodes that
 * lost theirs together with the installation's key. Runs under the start-up lock at every start.
 */
export async function sealServerKeys(database: Database, secrets: Secrets): Promise<void> {
  await sealPanelKeys(database, new DriverNodes(secrets));
  await sealCallingKeys(database, new CallingKeys(secrets, new Clock()));
}

async function sealPanelKeys(database: Database, nodes: DriverNodes): Promise<void> {
  const rows = database.repository(HostingNode);
  const plain = await rows
    .createQueryBuilder('node')
    .where("node.sealedPanelKey <> '' AND node.sealedPanelKey NOT LIKE :sealed", { sealed: `${SEALED_MARK}%` })
    .getMany();
  for (const { id, sealedPanelKey: key } of plain) await rows.update({ id, sealedPanelKey: key }, { sealedPanelKey: nodes.sealKey(key) });
}

async function sealCallingKeys(database: Database, keys: CallingKeys): Promise<void> {
  const rows = database.repository(HostingNode);
  const plain = await rows
    .createQueryBuilder('node')
    .where('node.openKey NOT LIKE :sealed OR node.signatureKey NOT LIKE :sealed', { sealed: `${SEALED_MARK}%` })
    .orWhere('node.previousOpenKey NOT LIKE :sealed OR node.previousSignatureKey NOT LIKE :sealed')
    .getMany();
  for (const { id, openKey, signatureKey, previousOpenKey, previousSignatureKey } of plain) {
    const hasPrevious = previousOpenKey !== null && previousSignatureKey !== null;
    const previous = hasPrevious ? keys.seal({ openKey: previousOpenKey, signatureKey: previousSignatureKey }) : null;
    await rows.update(
      { id, openKey, signatureKey },
      {
        ...keys.seal({ openKey, signatureKey }),
        previousOpenKey: previous?.openKey ?? null,
        previousSignatureKey: previous?.signatureKey ?? null,
      },
    );
  }
}
