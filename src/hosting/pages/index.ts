export { HostingPagesModule } from './hosting-pages.module.js';
