const constants = new WeakSet<object>();

/**
 * Deeply freezes plain data that never changes: templates receive it without a copy, and the output of a partial with `only` is cached for
 * it.
 *
 * @example
 * ```ts
 * const item = constantData({ title: 'Hosts', url: '/admin/hosts', children: [] });
 * ```
 */
export function constantData<Data extends object>(data: Data): Data {
  constants.add(Object.freeze(data));
  for (const part of Object.values(data) as unknown[]) if (typeof part === 'object' && part !== null) constantData(part);
  return data;
}

/** Returns whether `value` was frozen by {@link constantData}. */
export function isConstant(value: unknown): boolean {
  return typeof value === 'object' && value !== null && constants.has(value);
}
