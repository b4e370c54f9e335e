/** Result of a successful action. */
export interface ActionEnd<Value = Readonly<Record<string, unknown>>> {
  readonly outcome: 'ok' | 'already';
  readonly value: Value;
}

/** Returns a success without a value. */
export function ended(isChanged: boolean): ActionEnd<Record<string, never>> {
  return { outcome: isChanged ? 'ok' : 'already', value: {} };
}

/** Returns a success with a value. */
export function answered<Value>(value: Value): ActionEnd<Value> {
  return { outcome: 'ok', value };
}
