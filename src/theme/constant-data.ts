const constants = new WeakSet<object>();

/**
 * Freezes plain data that never changes, with all that is in it: templates are given it as it is, and what a partial with `only` says of it
 * is kept.
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

/** Whether {@link constantData} made `value` what it is. */
export function isConstant(value: unknown): boolean {
  return typeof value === 'object' && value !== null && constants.has(value);
}
