/** Resources with a quota, named as in `svc.hosts`. */
export const RESOURCES = ['webMb', 'databaseMb', 'trafficGb'] as const;
export type Resource = (typeof RESOURCES)[number];

/** MB, MB and GB per month. In quotas and limits 0 means unlimited; in usage {@link Infinity} does. */
export type Amounts = Readonly<Record<Resource, number>>;

/** Names in the API and of form fields. */
export const FIELDS: Readonly<Record<Resource, string>> = { webMb: 'web_space', databaseMb: 'sql_space', trafficGb: 'flow' };
export const UNITS: Readonly<Record<Resource, string>> = { webMb: 'MB', databaseMb: 'MB', trafficGb: 'GB' };

export const amountsOf = (amount: (resource: Resource) => number): Amounts => ({
  webMb: amount('webMb'),
  databaseMb: amount('databaseMb'),
  trafficGb: amount('trafficGb'),
});

/** How much of a quota a host's limit uses. */
const weight = (amount: number): number => (amount === 0 ? Infinity : amount);

/** Total usage of hosts. */
export const sumOf = (hosts: readonly Amounts[]): Amounts =>
  amountsOf((resource) => hosts.reduce((sum, host) => sum + weight(host[resource]), 0));

/** The larger of each amount. */
export const widest = (one: Amounts, other: Amounts): Amounts =>
  amountsOf((resource) => (one[resource] === 0 || other[resource] === 0 ? 0 : Math.max(one[resource], other[resource])));

/** Returns the resources whose quota is exceeded. */
export const overdrawn = (quota: Amounts, used: Amounts): Resource[] =>
  RESOURCES.filter((resource) => quota[resource] > 0 && used[resource] > quota[resource]);

/** Returns the resources without room for another host. @param has the host's current limits, which need no further room */
export const withoutRoom = (quota: Amounts, used: Amounts, wanted: Amounts, has: Amounts | null = null): Resource[] =>
  RESOURCES.filter(
    (resource) =>
      quota[resource] > 0 &&
      used[resource] + weight(wanted[resource]) > quota[resource] &&
      (has === null || weight(wanted[resource]) > weight(has[resource])),
  );
