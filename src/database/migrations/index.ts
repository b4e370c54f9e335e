import { InitialSchema1795219200000 } from './1795219200000-initial-schema.js';
import { Store1795219300000 } from './1795219300000-store.js';
import { CaptchaWork1795400100000 } from './1795400100000-captcha-work.js';
import { SignIns1795400300000 } from './1795400300000-sign-ins.js';
import { StoreNames1795400300100 } from './1795400300100-store-names.js';
import { EventsOnHold1795400500000 } from './1795400500000-events-on-hold.js';
import { OrdersOfIds1795400500100 } from './1795400500100-orders-of-ids.js';
import { PaidOrders1795400500200 } from './1795400500200-paid-orders.js';
import { PluginFaults1795400600000 } from './1795400600000-plugin-faults.js';
import { PluginSafety1795400700000 } from './1795400700000-plugin-safety.js';
import { WireFields1795400900000 } from './1795400900000-wire-fields.js';
import { LogTexts1795400900100 } from './1795400900100-log-texts.js';
import { PluginSteps1795401100000 } from './1795401100000-plugin-steps.js';
import { Logos1795401200000 } from './1795401200000-logos.js';
import { AccountRequests1795401300000 } from './1795401300000-account-requests.js';
import { IncomeDays1795401400000 } from './1795401400000-income-days.js';

/** Every migration, oldest first. */
export const migrations = [
  InitialSchema1795219200000,
  Store1795219300000,
  CaptchaWork1795400100000,
  SignIns1795400300000,
  StoreNames1795400300100,
  EventsOnHold1795400500000,
  OrdersOfIds1795400500100,
  PaidOrders1795400500200,
  PluginFaults1795400600000,
  PluginSafety1795400700000,
  WireFields1795400900000,
  LogTexts1795400900100,
  PluginSteps1795401100000,
  Logos1795401200000,
  AccountRequests1795401300000,
  IncomeDays1795401400000,
];
