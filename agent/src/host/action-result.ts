/** What an action came to. */
export interface ActionEnd<Value = Readonly<Record<string, unknown>>> {
  readonly outcome: 'ok' | 'already';
  readonly value: Value;
}

/** A success that says nothing. */
export function ended(isChanged: boolean): ActionEnd<Record<string, never>> {
  return { outcome: isChanged ? 'ok' : 'already', value: {} };
}

/** A success that says something. */
export function answered<Value>(value: Value): ActionEnd<Value> {
  return { outcome: 'ok', value };
}
