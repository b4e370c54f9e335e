export { Customer } from './customer.entity.js';
