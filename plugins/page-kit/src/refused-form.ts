import type { RefusedForm } from '@svc/sdk';

/** Whether it is a form that the panel refused: somebody else changed what it shows, or what it brought is no version. */
export function isRefusedForm(error: unknown): error is RefusedForm {
  return error instanceof Error && 'row_version' in error;
}
