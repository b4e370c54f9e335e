export { HostPayment } from './host-payment.entity.js';
export { PlannedPackage } from './planned-package.entity.js';
