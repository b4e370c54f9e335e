import type { ActionFailure } from '../../../src/agents/wire/actions.js';
import { ShapeError } from '../../../src/agents/wire/shape.js';
import { isDiskFull, messageOf } from '../errors.js';
import { clip, oneLine } from '../text.js';
import { HostRefusal, SiteMissing } from './refusal.js';

/** Converts an error for the panel. Messages contain no secrets because they never include values of tasks. */
export function failureOf(error: unknown): ActionFailure {
  if (error instanceof SiteMissing) return failed('not_found', '', 'The site does not exist on this server.');
  if (error instanceof HostRefusal) return { ...failed('refused', error.code, error.message), params: error.params };
  if (error instanceof ShapeError) return failed('refused', 'ARGUMENTS', error.message);
  if (isDiskFull(error)) return failed('refused', 'DISK_FULL', 'The disk of the server is full.');
  return failed('unknown', '', messageOf(error));
}

/** Builds a failure with a code. */
export function failed(outcome: ActionFailure['outcome'], code: string, message: string): ActionFailure {
  return { outcome, code, params: {}, message: clip(oneLine(message), 500) };
}
