import { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import type { DriverAccount, DriverNode, DriverResult } from '../../hosting/index.js';
import { AgentCalls, type ServerCall } from '../actions/index.js';
import { type ActionArgs, type ActionName, type ActionResult, COMMON_CODES, type SiteRef } from '../wire/index.js';

/** What goes along with a call of a site. */
export type CallExtras<Name extends ActionName> = Pick<ServerCall<Name>, 'progress' | 'send' | 'receive'>;

/** Codes of every action that a port has words for, too. */
const WORDED: readonly string[] = ['DISK_FULL', 'BUSY'];
/** Those that only the port of one action has words for. */
const WORDED_OF: Partial<Record<ActionName, readonly string[]>> = { 'rewrites.apply': ['CONFIG'] };

/** Calls of servers as the ports of a driver need them. */
@Injectable()
export class ServerCalls {
  constructor(private readonly calls: AgentCalls) {}

  /** Asks the server of a site. */
  async site<Name extends ActionName>(
    account: DriverAccount,
    action: Name,
    args: ActionArgs<Name>,
    signal: AbortSignal,
    extras: CallExtras<Name> = {},
  ): Promise<DriverResult<ActionResult<Name>>> {
    return worded(action, await this.calls.call({ server: account.node.code, action, site: refOf(account), args, signal, ...extras }));
  }

  /** Asks a server. */
  async server<Name extends ActionName>(
    { code }: DriverNode,
    action: Name,
    args: ActionArgs<Name>,
    signal: AbortSignal,
  ): Promise<DriverResult<ActionResult<Name>>> {
    return worded(action, await this.calls.call({ server: code, action, site: null, args, signal }));
  }

  /** Asks the server of a site for nothing but that something is done. */
  async done<Name extends ActionName>(
    account: DriverAccount,
    action: Name,
    args: ActionArgs<Name>,
    signal: AbortSignal,
  ): Promise<DriverResult> {
    return mapped(await this.site(account, action, args, signal), () => undefined);
  }

  /** Asks for what comes as a body and is small enough to be kept in memory. */
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
   * Asks for a body of any length: the answer is there once it begins.
   *
   * @param deadline by when it has to begin; how long it takes then is up to who reads it
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
        // A promise keeps what it was settled with first.
        (result) => resolve('value' in result ? { outcome: 'unknown', message: 'the agent sent nothing' } : result),
        (error: unknown) => resolve({ outcome: 'unknown', message: String(error) }),
      );
    });
  }
}

/** The same result with another value. */
export function mapped<From, To>(result: DriverResult<From>, to: (value: From) => To): DriverResult<To> {
  return 'value' in result ? { outcome: result.outcome, value: to(result.value) } : result;
}

/** What is opened once somebody reads it. */
export function streamOf(open: () => Promise<Readable>): Readable {
  return Readable.from(
    (async function* () {
      yield* await open();
    })(),
    { objectMode: false },
  );
}

/** Whether the server has no program for it: one without databases, or without Adminer. */
export function isAbsent(result: DriverResult<unknown>): boolean {
  return result.outcome === 'refused' && result.message.startsWith('MISSING_PROGRAM');
}

/** Whether the agent is from before there was such an action. */
export function isUnknown(result: DriverResult<unknown>): boolean {
  return result.outcome === 'refused' && result.message.startsWith('UNKNOWN_ACTION');
}

/** How a site is named to its server. Of a host that is gone nobody knows the user any more, and nothing depends on it. */
export function refOf({ siteName, siteId, ownerMark, username }: DriverAccount): SiteRef {
  return { name: siteName, id: siteId, mark: ownerMark, user: username || siteName };
}

/** Codes of the wire are for the log; the words for people are those of the ports. */
function worded<Value>(action: ActionName, result: DriverResult<Value>): DriverResult<Value> {
  if (result.outcome !== 'refused' || !result.problem) return result;
  const { code } = result.problem;
  if (WORDED.includes(code) || WORDED_OF[action]?.includes(code) || !(COMMON_CODES as readonly string[]).includes(code)) return result;
  return { outcome: 'refused', message: `${code}${result.message && `: ${result.message}`}` };
}
