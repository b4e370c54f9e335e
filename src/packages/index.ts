import './texts.js';

export { HostPayment } from './entities/index.js';
export { HostPayments } from './host-payments.js';
export { PackageDelivery } from './package-delivery.js';
export { CHANGE_SCENE } from './package-order-context.js';
export { PackageOrders } from './package-orders.js';
export { PackageRenewals, type RenewedPackage } from './package-renewals.js';
export { changeReply } from './package.operations.js';
export { IsPackage } from './package.inputs.js';
export { PackagesModule } from './packages.module.js';
