/** What a pool has a quota of, by the names `svc.hosts` has for it. */
export const RESOURCES = ['webMb', 'databaseMb', 'trafficGb'] as const;
export type Resource = (typeof RESOURCES)[number];

/** MB, MB and GB a month. Of a quota and of a host 0 is without a limit; of what is used, {@link Infinity} is. */
export type Amounts = Readonly<Record<Resource, number>>;

/** Names on the wire and of form fields. */
export const FIELDS: Readonly<Record<Resource, string>> = { webMb: 'web_space', databaseMb: 'sql_space', trafficGb: 'flow' };
export const UNITS: Readonly<Record<Resource, string>> = { webMb: 'MB', databaseMb: 'MB', trafficGb: 'GB' };

export const amountsOf = (amount: (resource: Resource) => number): Amounts => ({
  webMb: amount('webMb'),
  databaseMb: amount('databaseMb'),
  trafficGb: amount('trafficGb'),
});

/** Of an amount that a host has, what it uses of a quota. */
const weight = (amount: number): number => (amount === 0 ? Infinity : amount);

/** What hosts use together. */
export const sumOf = (hosts: readonly Amounts[]): Amounts =>
  amountsOf((resource) => hosts.reduce((sum, host) => sum + weight(host[resource]), 0));

/** The wider one of each. */
export const widest = (one: Amounts, other: Amounts): Amounts =>
  amountsOf((resource) => (one[resource] === 0 || other[resource] === 0 ? 0 : Math.max(one[resource], other[resource])));

/** Where a quota is used beyond what it is. */
export const overdrawn = (quota: Amounts, used: Amounts): Resource[] =>
  RESOURCES.filter((resource) => quota[resource] > 0 && used[resource] > quota[resource]);

/** Where a quota has no room for one host more. @param has what that host has already, and need not be asked for */
export const withoutRoom = (quota: Amounts, used: Amounts, wanted: Amounts, has: Amounts | null = null): Resource[] =>
  RESOURCES.filter(
    (resource) =>
      quota[resource] > 0 &&
      used[resource] + weight(wanted[resource]) > quota[resource] &&
      (has === null || weight(wanted[resource]) > weight(has[resource])),
  );
