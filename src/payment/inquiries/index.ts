export { Inquiries } from './inquiries.js';
export { InquiryRepository } from './inquiry-repository.js';
export { InquiryRun } from './inquiry-run.js';
export { InquiryOperations } from './inquiry.operations.js';
