import './texts.js';

export { CertificatePages } from './certificate.pages.js';
export { CertificatesModule } from './certificates.module.js';
export { CertificateBook } from './certificate-book.js';
export { CertificateCare } from './certificate-care.js';
export { NameCheck } from './name-check.js';
