// Another captcha at a click, and the work that may be asked with one (CAPTCHA_WORK): a text whose SHA-256 begins with so many zero bits.
(() => {
  'use strict';
  for (const box of document.querySelectorAll('[data-captcha]')) {
    const picture = box.querySelector('img');
    const field = box.querySelector('input');
    const form = box.closest('form');
    let work = Promise.resolve('');
    const load = async () => {
      field.value = '';
      const answer = await fetch('/user/code.php', { cache: 'no-store' });
      const svg = await answer.text();
      if (!answer.ok) throw new Error(svg);
      picture.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
      const [, bits, challenge] = /^<svg data-work="(\d+):([\w-]+)"/.exec(svg) ?? [];
      return bits ? workOf(challenge, Number(bits)) : '';
    };
    const renew = () => {
      work = load().catch((error) => {
        picture.removeAttribute('src');
        picture.alt = error.message;
        return '';
      });
    };
    box.querySelector('[data-renew]').addEventListener('click', renew);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      for (const button of form.querySelectorAll('button')) button.disabled = true;
      const done = await work;
      if (done) field.value = `${field.value.trim()}.${done}`;
      form.submit();
    });
    field.removeAttribute('maxlength');
    renew();
  }

  async function workOf(challenge, bits) {
    for (let work = 0; ; work += 1) {
      const text = work.toString(36);
      if (firstWord(`${challenge}:${text}`) >>> (32 - bits) === 0) return text;
      if (work % 4096 === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  }

  // By hand: pages without TLS have no crypto of the browser's own, and the text is shorter than one block of 64 bytes.
  function firstWord(text) {
    const primes = [];
    for (let candidate = 2; primes.length < 64; candidate += 1) if (primes.every((prime) => candidate % prime)) primes.push(candidate);
    const fraction = (value) => ((value - Math.floor(value)) * 2 ** 32) | 0;
    const state = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
    const constants = primes.map((prime) => fraction(Math.cbrt(prime)));
    const words = new Array(64).fill(0);
    for (let at = 0; at < text.length; at += 1) words[at >> 2] |= text.charCodeAt(at) << (24 - (at % 4) * 8);
    words[text.length >> 2] |= 0x80 << (24 - (text.length % 4) * 8);
    words[15] = text.length * 8;
    const turn = (value, by) => (value >>> by) | (value << (32 - by));
    for (let at = 16; at < 64; at += 1) {
      const [early, late] = [words[at - 15], words[at - 2]];
      const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
      const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
      words[at] = (words[at - 16] + first + words[at - 7] + second) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let at = 0; at < 64; at += 1) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + constants[at] + words[at]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    return (state[0] + a) >>> 0;
  }
})();
