/** Form fields of a plan of the bundled shop. */
export const STARTER_PLAN = {
  name: 'Starter',
  node: 'local',
  price: '9.90',
  web_mb: '10',
  database_mb: '0',
  traffic_gb: '0',
  domains: '1',
} as const;
