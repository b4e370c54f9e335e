export { isPublicAddress } from './address-policy.js';
export { openExchange } from './exchange.js';
export { OutboundFailure, type OutboundFailureCode } from './outbound-failure.js';
export { OutboundHttp, type OutboundAnswer } from './outbound-http.js';
export { OUTBOUND_OPTIONS, type OutboundOptions } from './outbound-options.js';
export {
  OUTBOUND_METHODS,
  type OutboundBody,
  type OutboundHeaders,
  type OutboundMethod,
  type OutboundRequest,
  type ResolvedAddress,
  type Resolver,
  systemResolver,
} from './outbound-request.js';
export {
  OutboundProbe,
  type HttpAnswer,
  type ProbeFailure,
  type ProbeProblem,
  type ProbeRequest,
  type TlsAnswer,
} from './outbound-probe.js';
