import { AsyncLocalStorage } from 'node:async_hooks';

import { CORE_OWNER } from '../core-owner.js';
import type { CallContext, EventInfo } from '../../sdk/index.js';

import type { CallKind } from './call-deadlines.js';

/**
 * Where the code that runs right now was called from: which plugin's code it is, inside which hook, for which request.
 * Frames link to the one they were entered from, so nested hook runs see all of their ancestors.
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
  /** What the call into the plugin is for, where the frame is that of one. */
  readonly kind?: CallKind;
  readonly parent?: ExecutionFrame;
}

/** One store for request, plugin and hook: a second one would cost every await twice. */
export const executionContext = new AsyncLocalStorage<ExecutionFrame>();

/** Runs `work` with `frame` on top of the present one; what the frame leaves out (request, event) is inherited. */
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

/** The plugin whose code runs, `core` outside plugins. */
export function currentOwner(): string {
  return executionContext.getStore()?.owner ?? CORE_OWNER;
}
