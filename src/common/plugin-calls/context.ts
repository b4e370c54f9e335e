import { AsyncLocalStorage } from 'node:async_hooks';

import { CORE_OWNER } from '../core-owner.js';
import type { CallContext, EventInfo } from '../../sdk/index.js';

import type { CallKind } from './call-deadlines.js';

/**
 * Context of the running code: which plugin's code it is, inside which hook, for which request.
 * Frames link to their parent, so that nested hook runs see all of their ancestors.
 */
export interface ExecutionFrame {
  /** `core`, or the slug of the plugin whose code runs. */
  readonly owner: string;
  /** The hook being run, if any. */
  readonly hook?: string;
  /** The durable event being delivered, if any. */
  readonly event?: EventInfo;
  /** The request being served, if any. */
  readonly call?: CallContext;
  /** Purpose of the call into the plugin, if the frame is that of such a call. */
  readonly kind?: CallKind;
  readonly parent?: ExecutionFrame;
}

/** One store for request, plugin and hook: a second one would double the cost of every await. */
export const executionContext = new AsyncLocalStorage<ExecutionFrame>();

/** Runs `work` in a new frame on top of the current one; request and event are inherited if left out. */
export function runInFrame<T>(frame: Omit<ExecutionFrame, 'parent'>, work: () => T): T {
  const parent = executionContext.getStore();
  return executionContext.run(
    {
      owner: frame.owner,
      hook: frame.hook,
      event: frame.event ?? parent?.event,
      call: frame.call ?? parent?.call,
      kind: frame.kind,
      parent,
    },
    work,
  );
}

/** Returns the plugin whose code runs; `core` outside of plugins. */
export function currentOwner(): string {
  return executionContext.getStore()?.owner ?? CORE_OWNER;
}
