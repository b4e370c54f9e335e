import type { DeployProgram } from '../entities/index.js';

import { type ProgramField, readForm } from './program-form.js';
import { type ProgramStep, readSteps } from './program-steps.js';

/** What a program asks, and what it does. */
export interface ProgramPlan {
  readonly form: readonly ProgramField[];
  readonly steps: readonly ProgramStep[];
  /** What it says when it is installed; empty: the usual words. */
  readonly message: string;
}

/**
 * The form and the steps of a program. What was taken over from another panel is read as what somebody sends is.
 *
 * @throws DeployError FORM_UNREADABLE, FORM_FIELD, STEPS_UNREADABLE, STEP
 */
export function planOf({ form: fields, steps, doneMessage }: Pick<DeployProgram, 'form' | 'steps' | 'doneMessage'>): ProgramPlan {
  const form = readForm(fields);
  return { form, steps: readSteps(steps, form), message: doneMessage ?? '' };
}
