export { isPublicAddress } from './address-policy.js';
export { openExchange } from './exchange.js';
export { OutboundFailure } from './outbound-failure.js';
export { OutboundHttp } from './outbound-http.js';
export {
  OUTBOUND_METHODS,
  OUTBOUND_OPTIONS,
  type OutboundBody,
  type OutboundHeaders,
  type OutboundMethod,
  type OutboundOptions,
  type OutboundRequest,
  type ResolvedAddress,
  type Resolver,
  systemResolver,
} from './outbound-options.js';
export {
  OutboundProbe,
  type HttpAnswer,
  type ProbeFailure,
  type ProbeProblem,
  type ProbeRequest,
  type TlsAnswer,
} from './outbound-probe.js';
