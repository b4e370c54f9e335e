import type { DeployProgram } from '../entities/index.js';

import { type ProgramField, readForm } from './program-form.js';
import { type ProgramStep, readSteps } from './program-steps.js';

/** Form, steps and final message of a program. */
export interface ProgramPlan {
  readonly form: readonly ProgramField[];
  readonly steps: readonly ProgramStep[];
  /** Message after the installation; empty for the default text. */
  readonly message: string;
}

/**
 * Parses form and steps of a program. Those of an imported program are validated like user input.
 *
 * @throws DeployError FORM_UNREADABLE, FORM_FIELD, STEPS_UNREADABLE, STEP
 */
export function planOf({ form: fields, steps, doneMessage }: Pick<DeployProgram, 'form' | 'steps' | 'doneMessage'>): ProgramPlan {
  const form = readForm(fields);
  return { form, steps: readSteps(steps, form), message: doneMessage ?? '' };
}
