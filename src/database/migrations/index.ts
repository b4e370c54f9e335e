import { InitialSchema1795219200000 } from './1795219200000-initial-schema.js';

/** Every migration, oldest first. */
export const migrations = [InitialSchema1795219200000];
