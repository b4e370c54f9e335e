import { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import type { DriverAccount, DriverNode, DriverResult } from '../../hosting/index.js';
import { AgentCalls, type ServerCall } from '../actions/index.js';
import { type ActionArgs, type ActionName, type ActionResult, COMMON_CODES, type SiteRef } from '../wire/index.js';

/** Optional parts of a call. */
export type CallExtras<Name extends ActionName> = Pick<ServerCall<Name>, 'progress' | 'send' | 'receive'>;

/** Error codes every port has a message for. */
const PORT_CODES: readonly string[] = ['DISK_FULL', 'BUSY'];
/** Further error codes that the port of a single action has a message for. */
const PORT_CODES_OF: Partial<Record<ActionName, readonly string[]>> = { 'rewrites.apply': ['CONFIG'] };

/** Calls to servers in the forms the driver's ports need. */
@Injectable()
export class ServerCalls {
  constructor(private readonly calls: AgentCalls) {}

  /** Calls the server of a site. */
  async site<Name extends ActionName>(
    account: DriverAccount,
    action: Name,
    args: ActionArgs<Name>,
    signal: AbortSignal,
    extras: CallExtras<Name> = {},
  ): Promise<DriverResult<ActionResult<Name>>> {
    return withPortCode(
      action,
      await this.calls.call({ server: account.node.code, action, site: refOf(account), args, signal, ...extras }),
    );
  }

  /** Calls a server. */
  async server<Name extends ActionName>(
    { code }: DriverNode,
    action: Name,
    args: ActionArgs<Name>,
    signal: AbortSignal,
  ): Promise<DriverResult<ActionResult<Name>>> {
    return withPortCode(action, await this.calls.call({ server: code, action, site: null, args, signal }));
  }

  /** Calls the server of a site and discards the value. */
  async done<Name extends ActionName>(
    account: DriverAccount,
    action: Name,
    args: ActionArgs<Name>,
    signal: AbortSignal,
  ): Promise<DriverResult> {
    return mapped(await this.site(account, action, args, signal), () => undefined);
  }

  /** Calls the server of a site and buffers the response body, which must be small. */
  async buffered<Name extends ActionName>(
    account: DriverAccount,
    action: Name,
    args: ActionArgs<Name>,
    signal: AbortSignal,
  ): Promise<DriverResult<{ value: ActionResult<Name>; bytes: Buffer }>> {
    const chunks: Buffer[] = [];
    const result = await this.site(account, action, args, signal, {
      receive: (body) => void body.on('data', (chunk: Buffer) => chunks.push(chunk)),
    });
    return mapped(result, (value) => ({ value, bytes: Buffer.concat(chunks) }));
  }

  /**
   * Calls the server of a site and resolves once the response body starts to arrive.
   *
   * @param deadline until the start of the body; afterwards the reader decides how long it takes
   */
  opened<Name extends ActionName>(
    account: DriverAccount,
    action: Name,
    args: ActionArgs<Name>,
    deadline: AbortSignal,
  ): Promise<DriverResult<{ content: Readable; bytes: number | null }>> {
    return new Promise((resolve) => {
      const stop = new AbortController();
      const onLate = (): void => stop.abort();
      deadline.addEventListener('abort', onLate, { once: true });
      if (deadline.aborted) onLate();
      const receive = (content: Readable, bytes: number | null): void => {
        deadline.removeEventListener('abort', onLate);
        resolve({ outcome: 'ok', value: { content, bytes } });
      };
      this.site(account, action, args, stop.signal, { receive }).then(
        // No effect if `receive` has already resolved the promise.
        (result) => resolve('value' in result ? { outcome: 'unknown', message: 'the agent sent no data' } : result),
        (error: unknown) => resolve({ outcome: 'unknown', message: String(error) }),
      );
    });
  }
}

/** Maps the value of a result. */
export function mapped<From, To>(result: DriverResult<From>, to: (value: From) => To): DriverResult<To> {
  return 'value' in result ? { outcome: result.outcome, value: to(result.value) } : result;
}

/** Returns a stream that is opened on the first read. */
export function streamOf(open: () => Promise<Readable>): Readable {
  return Readable.from(
    (async function* () {
      yield* await open();
    })(),
    { objectMode: false },
  );
}

/** Whether the server lacks the program, such as MariaDB or Adminer. */
export function isAbsent(result: DriverResult<unknown>): boolean {
  return result.outcome === 'refused' && result.message.startsWith('MISSING_PROGRAM');
}

/** Whether the agent is too old for this action. */
export function isUnknown(result: DriverResult<unknown>): boolean {
  return result.outcome === 'refused' && result.message.startsWith('UNKNOWN_ACTION');
}

/** Identifies a site to its server. The owner of a deleted host is not known any more; the site's name replaces it. */
export function refOf({ siteName, siteId, ownerMark, username }: DriverAccount): SiteRef {
  return { name: siteName, id: siteId, mark: ownerMark, user: username || siteName };
}

/** Moves wire-only error codes into the log message; users see the codes of the ports. */
function withPortCode<Value>(action: ActionName, result: DriverResult<Value>): DriverResult<Value> {
  if (result.outcome !== 'refused' || !result.problem) return result;
  const { code } = result.problem;
  if (PORT_CODES.includes(code) || PORT_CODES_OF[action]?.includes(code) || !(COMMON_CODES as readonly string[]).includes(code))
    return result;
  return { outcome: 'refused', message: `${code}${result.message && `: ${result.message}`}` };
}
