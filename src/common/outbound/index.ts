export { isPublicAddress } from './address-policy.js';
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
} from './outbound-options.js';
export {
  OutboundProbe,
  type HttpAnswer,
  type ProbeFailure,
  type ProbeProblem,
  type ProbeRequest,
  type TlsAnswer,
} from './outbound-probe.js';
