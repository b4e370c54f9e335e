import { Module } from '@nestjs/common';

import { Authorities } from './acme/index.js';
import { AuthorityLimits } from './authority-limits.js';
import { CertificateMaintenance } from './certificate-maintenance.js';
import { AcmeSettingsOperations } from './acme-settings.operations.js';
import { CertificateListOperations } from './certificate-list.operations.js';
import { CertificateNotices } from './certificate-notices.js';
import { CertificateRenewals } from './certificate-renewals.js';
import { CertificateRevocation } from './certificate-revocation.js';
import { certificateStateOperations } from './certificate-state.operations.js';
import { CertificateWarnings } from './certificate-warnings.js';
import { certificateOperations } from './certificate.operations.js';
import { NameCheck } from './name-check.js';
import { CertificateOrderRepository } from './certificate-order-repository.js';
import { OrderEnds } from './order-ends.js';
import { OrderIssuing } from './order-issuing.js';
import { OrderRunner } from './order-runner.js';
import { ProofRepository } from './proof-repository.js';
import { SiteCertificateService } from './site-certificate-service.js';
import { CertificateNames } from './certificate-names.js';

/** Certificates of sites, in a module of their own because the rest of hosting only serves what the rows contain. */
@Module({
  providers: [
    Authorities,
    AuthorityLimits,
    CertificateMaintenance,
    AcmeSettingsOperations,
    CertificateListOperations,
    CertificateNotices,
    CertificateRenewals,
    CertificateRevocation,
    CertificateWarnings,
    ...certificateOperations,
    ...certificateStateOperations,
    NameCheck,
    CertificateOrderRepository,
    OrderEnds,
    OrderIssuing,
    OrderRunner,
    ProofRepository,
    SiteCertificateService,
    CertificateNames,
  ],
  exports: [Authorities, CertificateMaintenance, NameCheck, CertificateOrderRepository, CertificateNames],
})
export class CertificatesModule {}
