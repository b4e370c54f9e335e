import { Injectable } from '@nestjs/common';

import { legacyTime, localeOf } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { NoInput, Operation, RawReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { type MaybeHost, SiteAccess, siteOperations } from '../site-tools/index.js';

import { CertificateOrderRepository } from './certificate-order-repository.js';
import { CertificateRepository } from './certificate-repository.js';
import { daysLeft, orderWords } from './certificate-words.js';

/** Shows the certificate of a site and its newest order. Source: docs/panel-api.md "Certificates". */
export const certificateStateOperations = siteOperations((on) => {
  @Injectable()
  class CertificateStateOperations {
    constructor(
      private readonly access: SiteAccess,
      private readonly repository: CertificateRepository,
      private readonly orders: CertificateOrderRepository,
      private readonly clock: ZonedClock,
    ) {}

    /** In the form older programs read; the private key is never sent. */
    @Operation(on('getssl', NoInput, null, 'read'))
    async get(input: NoInput & MaybeHost, ctx: CallContext): Promise<RawReply> {
      const { account } = await this.access.of(input, ctx, 'look');
      const [certificate, order] = await Promise.all([this.repository.of(account.id), this.orders.newest(account.id)]);
      const zone = this.clock.timezone;
      const data = certificate && {
        issuer: certificate.issuer,
        subject: certificate.names[0] ?? '',
        dns: certificate.names,
        notBefore: legacyTime(certificate.beginsAt, zone),
        notAfter: legacyTime(certificate.endsAt, zone),
        endtime: daysLeft(certificate, this.clock.now()),
        renews_at: certificate.renewAt ? legacyTime(certificate.renewAt, zone) : '',
        revoked_at: certificate.revokedAt ? legacyTime(certificate.revokedAt, zone) : '',
      };
      return new RawReply({
        qk: 1,
        success: true,
        key: '',
        csr: certificate?.chain ?? '',
        httpTohttps: certificate?.forceHttps ?? false,
        status: certificate !== null,
        cert_data: data ?? {},
        type: certificate === null ? -1 : certificate.source === 'acme' ? 1 : 0,
        order: order && orderWords(order, zone, localeOf(ctx.locale)),
      });
    }
  }
  return CertificateStateOperations;
});
