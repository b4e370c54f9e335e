import { Injectable } from '@nestjs/common';

import type { Access } from '../auth/index.js';
import type { Undo } from '../common/index.js';

import { readIdList } from './id-list.js';
import type { ServerField, ServerScope } from './operation.js';

/** Returns the id of the server an object is on; null if the object does not exist. */
export type ServerLookup = (value: string) => Promise<number | null>;

/** Key of an object that never exists. */
const NOWHERE = { id: '2147483647', code: '-' };

type Body = Readonly<Record<string, string>>;

/** Restricts administrators who are limited to some servers to objects on them. Features register how to find an object's server. */
@Injectable()
export class ServerScopes {
  private readonly kinds = new Map<string, { lookup: ServerLookup; nowhere: string }>();

  /**
   * @param kind as named by operations, see {@link ServerScope} @param named whether its objects are identified by a code instead of an id
   */
  add(kind: string, lookup: ServerLookup, named: 'id' | 'code' = 'id'): Undo {
    this.kinds.set(kind, { lookup, nowhere: NOWHERE[named] });
    return () => void this.kinds.delete(kind);
  }

  /**
   * Returns the form passed to the operation. Objects on other servers are replaced by one that does not exist, so that the answer is "not
   * found".
   *
   * @throws Error for an unregistered kind
   */
  async confine(scope: ServerScope | undefined, { servers }: Access, body: Body): Promise<Body> {
    if (servers === null || scope === undefined || scope === 'listed') return body;
    if ('of' in scope) return this.confineField(scope, servers, body);
    let confined = body;
    for (const one of scope) if (body[one.field]) confined = await this.confineField(one, servers, confined);
    return confined;
  }

  private async confineField({ of, field, many }: ServerField, servers: readonly number[], body: Body): Promise<Body> {
    const kind = this.kinds.get(of);
    if (!kind) throw new Error(`No lookup is registered for the server of a "${of}".`);
    const within = async (value: string): Promise<string> => {
      const server = await kind.lookup(value);
      return server !== null && servers.includes(server) ? value : kind.nowhere;
    };
    const given = body[field] ?? '';
    if (!many) return { ...body, [field]: await within(given) };
    const { ids, invalid } = readIdList(given);
    const kept: string[] = [...invalid];
    for (const id of ids) kept.push(await within(String(id)));
    return { ...body, [field]: kept.join(',') };
  }
}
