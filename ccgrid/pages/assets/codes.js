"use strict";
// Lines of text that hold a game, as `ccgrid code` writes them: letters and digits, with a checksum.
const Codes = (() => {
  const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const BASE = BigInt(ALPHABET.length);
  const HALF = 32;

  function toLetters(number) {
    let text = "";
    do {
      text = ALPHABET[Number(number % BASE)] + text;
      number /= BASE;
    } while (number > 0n);
    return text;
  }

  function fromLetters(text) {
    let number = 0n;
    for (const letter of text) number = number * BASE + BigInt(ALPHABET.indexOf(letter));
    return number;
  }

  function checksum(text) {
    let sum = 0xffffffff;
    for (const letter of text) {
      sum ^= letter.charCodeAt(0);
      for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
    }
    return toLetters(BigInt((sum ^ 0xffffffff) >>> 0)).padStart(6, "0");
  }

  class Writer {
    number = 0n;
    weight = 1n;
    put(value, below) {
      this.number += BigInt(value) * this.weight;
      this.weight *= BigInt(below);
    }
    putAny(value) {
      while (value >= HALF) {
        this.put((value % HALF) + HALF, 2 * HALF);
        value = Math.floor(value / HALF) - 1;
      }
      this.put(value, 2 * HALF);
    }
    putText(text) {
      const bytes = new TextEncoder().encode(text);
      this.putAny(bytes.length);
      for (const byte of bytes) this.put(byte, 256);
    }
  }

  class Reader {
    constructor(number) {
      this.number = number;
    }
    take(below) {
      const value = this.number % BigInt(below);
      this.number /= BigInt(below);
      return Number(value);
    }
    takeAny() {
      let value = 0;
      let weight = 1;
      let part;
      while ((part = this.take(2 * HALF)) >= HALF) {
        value += part * weight;
        weight *= HALF;
        if (weight > 2 ** 40) throw new Error("a number is too large");
      }
      return value + part * weight;
    }
    takeText() {
      const length = this.takeAny();
      if (length > 10000) throw new Error("a text is too long");
      return new TextDecoder().decode(Uint8Array.from({ length }, () => this.take(256)));
    }
  }

  // The parts of a line: its deck and its game in letters, and what else was said; an Error says what is wrong.
  function parts(text) {
    const line = text.replace(/\s+/g, "").replace(/^.*#/, "");
    const found = /^ccgrid(\d+)-([0-9A-Za-z]*)-([0-9A-Za-z]*)-([0-9A-Za-z]*)-([0-9A-Za-z]{6})$/i.exec(line);
    const damaged = new Error("The code is damaged: a character of it was changed or is missing. Copy it again.");
    if (!found) throw damaged;
    const [, version, deck, game, more, sum] = found;
    if (checksum(`ccgrid${version}-${deck}-${game}-${more}`) !== sum) throw damaged;
    if (version !== "1") throw new Error("This code is of a later version: make the page anew.");
    return { deck, game, more };
  }

  function line(deck, writer, more) {
    const text = `ccgrid1-${deck}-${toLetters(writer.number)}-${more}`;
    return `${text}-${checksum(text)}`;
  }

  return { Writer, Reader, fromLetters, parts, line };
})();
