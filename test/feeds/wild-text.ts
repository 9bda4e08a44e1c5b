import type { Random } from '../../server/seed/random.ts'

/** Text as no careful person writes it. */

const bits: readonly string[] = [
  ...'abc XYZ 012 .,;:!?',
  ...'<>&"\'\\/=-_()[]{}#%',
  ...['\t', '\n', '\r', '\r\n', '\u0000', '\u0001', '\u0003', '\u0008', '\u000b', '\u000c', '\u001b', '\u001f'],
  ...['\u007f', '\u0080', '\u0085', '\u009f', '\u00a0', '\u00ad', '\u2028', '\u2029', '\ufeff', '\ufffd'],
  ...['\ufffe', '\uffff', '\u{1fffe}', '\u{1ffff}', '\u{10ffff}', '\ufdd0', '\ue000', '\u{f0000}'],
  ...['\ud800', '\udbff', '\udc00', '\udfff', '\ud83d', '\ude00'],
  ...['\u202a', '\u202e', '\u2066', '\u2069', '\u200f', '\u061c', '\u200b', '\u200d', '\u2060'],
  ...['é', 'e\u0301', 'ß', 'İ', 'ﬁ', 'Ω', 'ѣ', '茶', '한', 'ไทย', 'क्षि', 'עברית', 'العربية', '\u{20000}', '𝔘'],
  ...['😀', '👩‍👩‍👧‍👦', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', '🇨🇭', '👍🏽', 'z̸̢̛̖̗'],
  ...[']]>', '<![CDATA[', '<!--', '-->', '<?xml?>', '<!DOCTYPE x [<!ENTITY y "z">]>', '&y;', '&amp;', '&lt;', '&#0;'],
  ...['&#x1;', '&nbsp;', '&', '&;', '&#', '</title>', '</item>', '</channel></rss>', '<script>alert(1)</script>'],
  ...['<a href="#x">', '\\u0000', '\\"', '","', '"}', '$&', '$1', '%s', '%00', '{{x}}', 'javascript:alert(1)'],
  ...['__proto__', 'constructor', 'null', 'undefined', 'NaN', '\u0000\u0000', ' ', '   '],
]

/** Mostly what is known to hurt; now and then any code unit at all. */
export function wildText(random: Random, most: number): string {
  let text = ''
  for (let left = random.integer(most + 1); left > 0; left -= 1) {
    text += random.chance(0.1) ? String.fromCharCode(random.integer(0x10000)) : random.pick(bits)
  }
  return text
}

/** What is left of a text in XML 1.0, by its production Char. */
export const speakable = (text: string): string => [...text].filter((one) => isChar(one.codePointAt(0)!)).join('')

const isChar = (code: number): boolean =>
  code === 0x9 ||
  code === 0xa ||
  code === 0xd ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff)
