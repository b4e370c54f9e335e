import './texts.js';

export { CertificateListPages } from './certificate-list.pages.js';
export { CertificatePages } from './certificate.pages.js';
export { CertificatesModule } from './certificates.module.js';
export { CertificateRepository } from './certificate-repository.js';
export { NameCheck } from './name-check.js';
