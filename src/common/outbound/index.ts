export { openExchange } from './exchange.js';
export { OutboundFailure } from './outbound-failure.js';
export { OutboundHttp, type OutboundAnswer } from './outbound-http.js';
export { OUTBOUND_OPTIONS } from './outbound-options.js';
export {
  type OutboundBody,
  type OutboundHeaders,
  type OutboundMethod,
  type OutboundRequest,
  type ResolvedAddress,
  type Resolver,
  systemResolver,
} from './outbound-request.js';
export { OutboundProbe, type ProbeProblem } from './outbound-probe.js';
