import { ownerContact, type TextRef } from '../common/index.js';

/** Who helps a user where the panel cannot: the contact of the site, where there is one. */
export const whomToAsk = (contact: string): TextRef =>
  contact ? { key: 'account.whom_contact', params: { contact: ownerContact(contact) } } : { key: 'account.whom_shop' };
