(() => {
  'use strict';

  const HASHES_A_TURN = 4096;

  /**
   * Does the work a captcha asks for with `data-work="bits:challenge"` on its picture: finds what makes the SHA-256 of `challenge:work` begin
   * with that many zero bits. Needs `sha256.min.js`: pages without TLS have no crypto of the browser's own.
   *
   * @param {string} svg the picture
   * @returns {Promise<string>} what is sent behind the characters, after a full stop; empty where no work is asked
   */
  window.captchaWork = async (svg) => {
    const asked = /^<svg data-work="(\d+):([\w-]+)"/.exec(svg);
    if (!asked) return '';
    const bits = Number(asked[1]);
    for (let work = 0; ; work += 1) {
      const [a, b, c, d] = window.sha256.array(`${asked[2]}:${work.toString(36)}`);
      if (((a << 24) | (b << 16) | (c << 8) | d) >>> (32 - bits) === 0) return work.toString(36);
      if (work % HASHES_A_TURN === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  };
})();
