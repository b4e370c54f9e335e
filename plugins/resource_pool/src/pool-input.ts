import type { CallContext } from '@svc/sdk';

import { dayOf, isPassword, listOf, readAmounts, type Problems } from './form-fields.js';
import type { Pool, PoolTerms } from './pools.js';
import type { Place } from './servers.js';

const USERNAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{2,31}$/;
const STATES = new Set(['enabled', 'disabled']);

/** A pool read from a form, or its errors. */
export type PoolInput = { readonly terms: PoolTerms; readonly password: string } | { readonly problems: Problems };

/** @param before the pool being changed; its existing codes stay valid even if their servers are gone */
export function readPool({ body }: Pick<CallContext, 'body'>, places: readonly Place[], before: Pool | null): PoolInput {
  const { amounts, problems: wrongAmounts } = readAmounts(body);
  const name = (body.name ?? '').trim();
  const username = (body.username ?? '').trim();
  const password = body.password ?? '';
  const remark = (body.remark ?? '').trim();
  const status = body.status ?? 'enabled';
  const nodes = listOf(body.nodes);
  const day = dayOf(body.expire_date);
  const known = new Set([...places.map(({ code }) => code), ...(before?.nodes ?? [])]);
  const problems = {
    ...wrongAmounts,
    ...((name === '' || name.length > 120) && { name: 'field_name' }),
    ...(!USERNAME.test(username) && { username: 'field_username' }),
    ...((before === null || password !== '') && !isPassword(password) && { password: 'field_password' }),
    ...((nodes === null || nodes.some((code) => !known.has(code))) && { nodes: 'field_nodes' }),
    ...(day === null && { expire_date: 'field_day' }),
    ...(!STATES.has(status) && { status: 'field_status' }),
    ...(remark.length > 255 && { remark: 'field_remark' }),
  };
  if (Object.keys(problems).length > 0) return { problems };
  const terms = { name, username, nodes: [...new Set(nodes)], ...amounts, expiresOn: day!, enabled: status === 'enabled', remark };
  return { terms, password };
}
