export { type IssuedLink, LOGIN_LINK_PATH, LOGIN_LINK_SECONDS, LoginLinks } from './login-links.js';
