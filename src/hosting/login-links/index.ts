export { LoginLinks } from './login-links.js';
