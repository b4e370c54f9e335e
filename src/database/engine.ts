/** Database engine in use. */
export type Engine = 'sqlite' | 'mysql';
