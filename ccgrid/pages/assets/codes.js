"use strict";
// Lines of text that hold a game, as `ccgrid code` writes them: letters and digits, with a checksum.
const Codes = (() => {
  const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const MORE = 128;
  const DAMAGED = "The code is damaged: a character of it was changed or is missing. Copy it again.";

  const EARLIER = "This code is of version 1, which is no longer read: ask for one of version 2.";

  // Base 32: each character holds five bits, the highest first.
  function toLetters(bytes) {
    const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
    return bits.replace(/.{1,5}/g, (five) => ALPHABET[parseInt(five.padEnd(5, "0"), 2)]);
  }

  function fromLetters(text) {
    const bits = Array.from(text, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
    return Array.from({ length: Math.floor(bits.length / 8) }, (_, byte) => parseInt(bits.slice(8 * byte, 8 * byte + 8), 2));
  }

  function crc32(text) {
    let sum = 0xffffffff;
    for (const letter of text) {
      sum ^= letter.charCodeAt(0);
      for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
    }
    return ~sum >>> 0;
  }

  function checksum(text) {
    const sum = crc32(text);
    return toLetters([24, 16, 8, 0].map((shift) => (sum >>> shift) & 255));
  }

  // Numbers one after the other, seven bits to a byte, the lowest first.
  class Writer {
    bytes = [];
    put(value) {
      for (; value >= MORE; value = Math.floor(value / MORE)) this.bytes.push((value % MORE) + MORE);
      this.bytes.push(value);
    }
    putText(text) {
      const bytes = new TextEncoder().encode(text);
      this.put(bytes.length);
      this.bytes.push(...bytes);
    }
  }

  class Reader {
    place = 0;
    constructor(bytes) {
      this.bytes = bytes;
    }
    take(below = 2 ** 53) {
      let value = 0;
      let weight = 1;
      let byte;
      while ((byte = this.bytes[this.place++]) >= MORE) {
        value += (byte - MORE) * weight;
        weight *= MORE;
      }
      value += byte * weight;
      if (!(value < below)) throw new Error("The code is whole, but it holds no game that can be played.");
      return value;
    }
    takeText() {
      const length = this.take(this.bytes.length);
      return new TextDecoder().decode(Uint8Array.from(this.bytes.slice(this.place, (this.place += length))));
    }
  }

  // The parts of a line: its deck and its game in letters, and what else was said; an Error says what is wrong.
  function parts(text) {
    const line = text.replace(/\s+/g, "").replace(/^.*#/, "");
    const found = /^ccgrid(\d+)-([0-9A-Za-z]*)-([0-9A-Za-z]*)-([0-9A-Za-z]*)-([0-9A-Za-z]{6,7})$/i.exec(line);
    if (!found) throw new Error(DAMAGED);
    const [, version, deck, game, more, sum] = found;
    if (version === "1") throw new Error(EARLIER);
    if (checksum(`ccgrid${version}-${deck}-${game}-${more}`) !== sum) throw new Error(DAMAGED);
    if (version !== "2") throw new Error("This code is of a later version: make the page anew.");
    return { deck, game, more };
  }

  function line(deck, writer, more) {
    const text = `ccgrid2-${deck}-${toLetters(writer.bytes)}-${more}`;
    return `${text}-${checksum(text)}`;
  }

  return { Writer, Reader, crc32, fromLetters, parts, line };
})();
