'use strict';

/** How long one can buy, in months. */
exports.PERIODS = { month: 1, quarter: 3, half_year: 6, year: 12, two_year: 24, three_year: 36 };

/** Name of the period of so many months. */
exports.periodOf = function periodOf(months) {
  return Object.keys(exports.PERIODS).find((name) => exports.PERIODS[name] === Number(months));
};

/**
 * The last day of an account that starts today: the same day `months` later, or the last day of a shorter month.
 *
 * @param {Date} today
 * @param {number} months
 * @returns {string} `YYYY-MM-DD`
 */
exports.lastDay = function lastDay(today, months) {
  const first = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1));
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(today.getUTCDate(), days));
  return first.toISOString().slice(0, 10);
};
