import { InitialSchema1795219200000 } from './1795219200000-initial-schema.js';
import { Store1795219300000 } from './1795219300000-store.js';
import { EventsOnHold1795400500000 } from './1795400500000-events-on-hold.js';

/** Every migration, oldest first. */
export const migrations = [InitialSchema1795219200000, Store1795219300000, EventsOnHold1795400500000];
