import { AppError, type ErrorShape } from '../../common/index.js';

/**
 * Problems that prevent a shop from connecting, in the order the provisioning API checks them. `params`: `ip`, `code` of the server, `url`,
 * `said`.
 */
export type ShopProblem =
  | 'NODE_MISSING'
  | 'API_CLOSED'
  | 'ADDRESS_NOT_GIVEN'
  | 'ADDRESS_INVALID'
  | 'ADDRESS_NOT_LISTED'
  | 'API_KEY_NONE'
  | 'API_KEY_WRONG'
  | 'NODE_OFF'
  | 'CALLING_KEY_WRONG'
  | 'NO_ANSWER'
  | 'OTHER_ANSWER'
  | 'REFUSED';

const ERROR_MAP: Record<ShopProblem, ErrorShape> = {
  NODE_MISSING: { err: 'E_NOTEXIST', text: 'hosting.node_missing' },
  API_CLOSED: { err: 'E_DISABLED', text: 'hosting.shop_api_closed' },
  ADDRESS_NOT_GIVEN: { err: 'E_ARGS', text: 'hosting.shop_address_not_given' },
  ADDRESS_INVALID: { err: 'E_ARGS', text: 'hosting.shop_address_invalid' },
  ADDRESS_NOT_LISTED: { err: 'E_FORBIDDEN', text: 'hosting.shop_address_not_listed' },
  API_KEY_NONE: { err: 'E_STATE', text: 'hosting.shop_key_none' },
  API_KEY_WRONG: { err: 'E_FORBIDDEN', text: 'hosting.shop_key_wrong' },
  NODE_OFF: { err: 'E_DISABLED', text: 'hosting.shop_node_off' },
  CALLING_KEY_WRONG: { err: 'E_FORBIDDEN', text: 'hosting.shop_calling_key_wrong' },
  NO_ANSWER: { err: 'E_UNREACH', text: 'hosting.shop_no_answer' },
  OTHER_ANSWER: { err: 'E_UNREACH', text: 'hosting.shop_other_answer' },
  REFUSED: { err: 'E_STATE', text: 'hosting.shop_refused' },
};

/** See {@link ShopProblem}. */
export class ShopError extends AppError<ShopProblem> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
