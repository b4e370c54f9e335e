import { ownerContact, type TextRef } from '../common/index.js';

/** Returns whom a user can ask for help: the contact of the site, if there is one. */
export const whomToAsk = (contact: string): TextRef =>
  contact ? { key: 'account.whom_contact', params: { contact: ownerContact(contact) } } : { key: 'account.whom_shop' };
