/** Which engine is below. */
export type Engine = 'sqlite' | 'mysql';
