import { Inject, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { GatewaySettings } from '@svc/gateway-kit';
import { SVC_FACADE, type SvcFacade } from '@svc/sdk';

import { ProofMaintenance } from './proof-maintenance.js';
import { Decisions } from './decisions.js';
import { migrationsOf } from './migrations.js';
import { Proofs } from './proofs.js';
import { Review } from './review.js';
import { TRANSFER_FIELDS, TransferConfig } from './transfer-config.js';
import { Transfers } from './transfers.js';

/** Registers the gateway after its tables were migrated. */
@Injectable()
class BankTransfer implements OnModuleInit {
  constructor(@Inject(SVC_FACADE) private readonly svc: SvcFacade) {}

  async onModuleInit(): Promise<void> {
    const { svc } = this;
    await svc.db.migrate(migrationsOf(svc.db));
    const settings = new GatewaySettings(svc, { order: 5, fields: TRANSFER_FIELDS, provider: false });
    const config = async (): Promise<TransferConfig> => new TransferConfig(await settings.read());
    const proofs = new Proofs(svc.db);
    const transfers = new Transfers(svc, proofs, config);

    settings.register();
    transfers.register();
    new Review(svc, proofs).register();
    new Decisions(svc, proofs).register();
    new ProofMaintenance(svc, proofs, config).register();
    svc.svc_register_payment(svc.slug, {
      name: '银行转账 Bank transfer',
      methods: { transfer: { name: '银行转账 Bank transfer', icon: 'mdi-bank-transfer' } },
      currencies: 'any',
      limits: { least: 1 },
      ready: async () => (await config()).isReady,
      build: async ({ id }) => {
        const order = (await config()).isReady ? await svc.orders.get(id) : null;
        return order ? transfers.pathOf(order) : false;
      },
    });
  }
}

/** Bank transfers: the buyer sends a proof, the reseller checks the bank account and confirms. No payment provider is needed. */
@Module({ providers: [BankTransfer] })
export default class ManualModule {}
