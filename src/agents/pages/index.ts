export { AgentsPagesModule } from './agents-pages.module.js';
