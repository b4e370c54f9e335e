'use strict';

/** How long one can buy, in months. */
exports.PERIODS = { month: 1, quarter: 3, half_year: 6, year: 12, two_year: 24, three_year: 36 };

/** Name of the period of so many months. */
exports.periodOf = function periodOf(months) {
  return Object.keys(exports.PERIODS).find((name) => exports.PERIODS[name] === Number(months));
};

/**
 * The last day of an account that starts now: the same day `months` later, or the last day of a shorter month.
 *
 * @param {Date} now
 * @param {number} months
 * @param {string} timezone IANA zone the days are of
 * @returns {string} `YYYY-MM-DD`
 */
exports.lastDay = function lastDay(now, months, timezone) {
  const [year, month, day] = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(now).split('-').map(Number);
  const daysInMonth = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, daysInMonth))).toISOString().slice(0, 10);
};
