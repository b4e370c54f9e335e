export { OwnersModule } from './owners.module.js';
