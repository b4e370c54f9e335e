import { accessOf } from '../../auth/index.js';
import type { Database } from '../../database/index.js';
import type { RequestContext } from '../../operations/index.js';
import { HostingNode } from '../entities/index.js';

/** Servers one is chosen of. */
const MOST_SERVERS = 500;

/** Servers an administrator may see, by their codes. */
export async function reachableServers(database: Database, { admin }: Pick<RequestContext, 'admin'>): Promise<HostingNode[]> {
  const { servers } = accessOf(admin);
  const nodes = await database.repository(HostingNode).find({ order: { code: 'ASC', id: 'ASC' }, take: MOST_SERVERS });
  return servers === null ? nodes : nodes.filter(({ id }) => servers.includes(id));
}
