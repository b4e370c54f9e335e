import type { RefusedForm } from '@svc/sdk';

/** Whether the panel rejected a form because its data changed meanwhile or its row version was invalid. */
export function isRefusedForm(error: unknown): error is RefusedForm {
  return error instanceof Error && 'row_version' in error;
}
