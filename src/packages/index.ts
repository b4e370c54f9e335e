import './texts.js';

export { HostPayment, PlannedPackage } from './entities/index.js';
export { HostPayments } from './host-payments.js';
export { PackageDelivery } from './package-delivery.js';
export { CHANGE_SCENE, changeOfOrder } from './package-order-context.js';
export { PackageOrders } from './package-orders.js';
export { PackageRenewals, type RenewedAs, type RenewedPackage } from './package-renewals.js';
export { changeReply } from './package.operations.js';
export { IsPackage } from './package.inputs.js';
export { PackagesModule } from './packages.module.js';
