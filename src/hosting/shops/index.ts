export { ShopsModule } from './shops.module.js';
