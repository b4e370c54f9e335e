import { In } from 'typeorm';

import { Clock } from '../../common/index.js';
import { CallingKeys, DriverNodes, HostingNode, NodeSystem } from '../../hosting/index.js';

import { DumpError } from './dump-error.js';
import type { ImportPart } from './import-part.js';
import { type LegacyRow, SkippedRow } from './legacy-row.js';
import { convertRows, idOf } from './rows.js';

/** Driver of all servers of the other panel, which supports only BaoTa. */
const DRIVER = 'baota';

/** Imports servers with their API keys for shops. */
export const servers: ImportPart = {
  table: 'bt',
  needs: ['btdh', 'ktmy', 'qmk'],
  what: 'servers',
  nameOf: (row) => row.text('btdh'),
  async take(rows, context) {
    const { database, report, secrets, zone, now } = context;
    const keys = new DriverNodes(secrets);
    const callingKeys = new CallingKeys(secrets, new Clock());
    const nodes = convertRows(servers, rows, context, (row) => ({
      id: idOf(row),
      ...serverOf(row, keys, callingKeys),
      createdAt: row.moment('date', zone, now),
    }));
    const repository = database.repository(HostingNode);
    const taken = await repository.findBy({ codeKey: In(nodes.map(({ codeKey }) => codeKey)) });
    const ids = new Set((await repository.findBy({ id: In(nodes.map(({ id }) => id)) })).map(({ id }) => id));
    // Servers are referenced by code, so one whose id is taken gets a new id, after the others were inserted.
    const byNumber = nodes.sort((one, other) => Number(ids.has(one.id)) - Number(ids.has(other.id)));
    for (const { id, ...node } of byNumber) {
      if (context.servers.has(node.codeKey)) {
        report.skip('servers', 'its code occurs twice', node.code);
        continue;
      }
      if (taken.some(({ codeKey }) => codeKey === node.codeKey))
        throw new DumpError(`A server ${node.code} already exists. Remove it (Servers), or import into a new installation.`);
      await repository.insert(ids.has(id) ? node : { id, ...node });
      context.servers.set(node.codeKey, node.code);
      report.add('servers');
    }
  },
};

function serverOf(row: LegacyRow, keys: DriverNodes, callingKeys: CallingKeys) {
  const code = row.short('btdh', 64).trim();
  if (code === '') throw new SkippedRow('it has no code');
  const port = Number(row.text('btdk'));
  const php = row.short('mrbts_php', 10);
  const ftp = row.short('ftpdz', 250);
  return {
    code,
    codeKey: code.toLowerCase(),
    address: row.short('btip', 255),
    port: Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0,
    sealedPanelKey: keys.sealKey(row.short('btmy', 255)),
    ...callingKeys.seal({ openKey: row.short('ktmy', 64), signatureKey: row.short('qmk', 64) }),
    system: row.text('btos') === '2' ? NodeSystem.Windows : NodeSystem.Linux,
    dnsTarget: row.short('als', 200),
    ftpAddress: ftp === 'false' ? '' : ftp,
    secure: row.text('ptl') === 'true',
    enabled: row.text('qk') !== 'false',
    defaultPhp: php === '00' ? '' : php,
    driver: DRIVER,
  };
}
