import { Module } from '@nestjs/common';

import { Authorities } from './acme/index.js';
import { AuthorityLimits } from './authority-limits.js';
import { CertificateCare } from './certificate-care.js';
import { AcmeSettingsOperations } from './acme-settings.operations.js';
import { CertificateListOperations } from './certificate-list.operations.js';
import { CertificateNotices } from './certificate-notices.js';
import { CertificateRevocation } from './certificate-revocation.js';
import { certificateOperations } from './certificate.operations.js';
import { NameCheck } from './name-check.js';
import { OrderBook } from './order-book.js';
import { OrderEnds } from './order-ends.js';
import { OrderIssuing } from './order-issuing.js';
import { OrderRunner } from './order-runner.js';
import { ProofBook } from './proof-book.js';
import { SiteCertificateService } from './site-certificate-service.js';
import { CertificateNames } from './certificate-names.js';

/** Certificates of sites, apart from the rest of hosting, which serves what the rows say. */
@Module({
  providers: [
    Authorities,
    AuthorityLimits,
    CertificateCare,
    AcmeSettingsOperations,
    CertificateListOperations,
    CertificateNotices,
    CertificateRevocation,
    ...certificateOperations,
    NameCheck,
    OrderBook,
    OrderEnds,
    OrderIssuing,
    OrderRunner,
    ProofBook,
    SiteCertificateService,
    CertificateNames,
  ],
  exports: [Authorities, CertificateCare, NameCheck, OrderBook, CertificateNames],
})
export class CertificatesModule {}
