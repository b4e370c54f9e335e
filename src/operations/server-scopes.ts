import { Injectable } from '@nestjs/common';

import type { Access } from '../auth/index.js';
import type { Undo } from '../common/index.js';

import { readIdList } from './id-list.js';
import type { ServerField, ServerScope } from './operation.js';

/** Tells the server something is on: its id; null where there is no such thing. */
export type ServerLookup = (value: string) => Promise<number | null>;

/** A thing of some kind that is never there. */
const NOWHERE = { id: '2147483647', code: '-' };

type Body = Readonly<Record<string, string>>;

/** Keeps administrators who are limited to some servers to what is on them. Features say which server their things are on. */
@Injectable()
export class ServerScopes {
  private readonly kinds = new Map<string, { lookup: ServerLookup; nowhere: string }>();

  /** @param kind as operations name it, see {@link ServerScope} @param named whether its things are named by a code and not by an id */
  add(kind: string, lookup: ServerLookup, named: 'id' | 'code' = 'id'): Undo {
    this.kinds.set(kind, { lookup, nowhere: NOWHERE[named] });
    return () => void this.kinds.delete(kind);
  }

  /**
   * The form as the operation gets it. What is on a server out of reach becomes what is nowhere, so the answer is that
   * of a thing that does not exist.
   *
   * @throws Error for a kind no feature knows
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
    if (!kind) throw new Error(`Nobody says which server a "${of}" is on.`);
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
