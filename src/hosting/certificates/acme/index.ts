export { AcmeProblem, type OrderProblem, problemOf } from './acme-problem.js';
export { Authorities, type Authority, type Challenge, newCertificateKey } from './authorities.js';
