import './texts.js';

export { ProgramOrderError } from './errors.js';
export { ProgramDelivery } from './program-delivery.js';
export { PROGRAM_SCENE, ProgramOrders } from './program-orders.js';
export { ProgramsModule } from './programs.module.js';
