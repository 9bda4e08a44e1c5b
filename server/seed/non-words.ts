import { draw, model } from './bigram-model.ts'
import type { Random } from './random.ts'

/** What occurs in prose but in no dictionary: names, numbers, identifiers, addresses, other scripts. */

const split = (list: string): string[] => list.trim().split(/\s+/)

/** Ada and the other writers of the hand-written pieces are not among them: authors.ts. */
export const givenNames: readonly string[] = split(`
  Zoë Łukasz Amara Tomás Ingrid Kwame Maren Yusuf Beatriz Henrik Noor Esther Matteo Chidi Solveig Priya Callum Leïla
  Otto Hana Rafael Saoirse Dmitri Élodie Kofi Marta Søren Aisha Jules Nadia Bram Ximena Tariq Agnes Luca Wanjiru
  Frida Emre Colette Idris Petra Jorge Mei Anselm Ruta Femi Clara Björn Lucía Samir Dorothea Akira Greta Pablo Imani
  Viktor Sunniva Omar Delphine Kenji Rosa Ewan Fatima Gustav Naomi André Thandiwe Ivo Margot Rohan Siobhan Elio
  Katarzyna Hamid Linnea Teodor Ayşe Felix Paloma Stefan Adaeze Milan Judith Nuno Freya Karim Helena Dae Bronwen
  Mateus Inès Piotr Salma Anton Yuki Cecilia Jamal Astrid Raúl Oluwaseun Vera Emil Shirin Conor Jana Dario Ngozi`)
export const familyNames: readonly string[] = split(`
  Marchetti Okafor Lindqvist Nowak Ferreira Haddad Castellanos O'Brien Yamamoto Bergström Achterberg Mensah Kowalczyk
  Delacroix Rasmussen Iyer Müller Fontaine Abara Novák Sørensen Whitfield Das Almeida Çelik Brandt Oyelaran Hughes
  Petrov Moreau Kaplan Nakamura Gonçalves Ashworth Vance Zielińska Aydın Ramírez Holloway Tanaka Eze Schröder Pemberton
  Rossi Nguyen Larsen Bianchi Farouk Costa Hartmann Adeyemi Quinn Dubois Ivanova Ortega Lund Sato Mbeki Hollis Vasquez
  Jansen Kariuki Greenwood Popescu Chowdhury Walsh Peña Strand Ito Lebrun Osei Fairweather Horvat Malik Cardoso Blum
  Reyes Thorne Watanabe Diallo Kessler Byrne Szabó Anand Lemaire Torres Nyström Boateng Calloway Rahman Voss Herrera
  Mahlangu Eklund Barreto Finch Kimura Stoica Gallagher Weiss Ndlovu Pires Hallström Choi Beaumont Farrell Krause`)
export const cities: readonly string[] = split(`
  London Lisbon Leeds Lagos Berlin Kyoto Glasgow Oslo Nairobi Porto Bristol Warsaw Málaga Accra Dublin Ghent Kraków
  Osaka Naples Cardiff Toronto Zürich Seville Belfast Prague Mumbai Utrecht Lyon Bogotá Helsinki Hull Istanbul
  Montréal Trieste Göteborg Durban Marseille Tallinn Seoul Valparaíso Łódź Antwerp Manchester Chennai Bilbao Malmö Cork
  Vienna Dakar Rotterdam Córdoba Sheffield Vilnius Hanoi Bologna Aarhus Medellín Dundee Budapest Beirut Genoa Tromsø`)
/** Halves of invented names, of families and of firms. */
const surnameStarts = split(`
  Ash Thorn Hol Win Black Red Farn Wick Oster Lang Marsh Elm Cald Brack Hes Dun Fen Gar Hather Kings Lind Mel Nether
  Oak Pen Quil Raven Stan Tam Under Wain Whit Yar Alder Birk Cran Dray Ever Fair Grim Hag Ing Kil Lock Mor Nor Over`)
const surnameEnds = split(`
  well bury ford worth ley combe stead croft by thwaite shaw ham hurst gate mere den field wood ridge stow wick
  brook more dale man son ston ling ner rick vale land over beck`)
const firmStarts = split(`
  Lumo Veri Nord Caro Tessa Brio Hali Orbi Fenn Quill Mira Solu Tarn Vanta Kess Alto Penn Ravi Cinder Marlo Juni
  Oster Plin Delta Harbo Ivo Lark Moss Neva Opal Pico Roon Sable Tidal Umbra Vela Wren Yarro Zeph Bask Clov Dovet`)
const firmEnds = split(`
  ra line works ly base io lab mark stack wise nest ful craft path ware hub point ant ello ista form grid field
  light stone lane loop press port side way span ton well yard bird fold gate`)
const firms = firmStarts.flatMap((start) => firmEnds.map((end) => start + end))
const months = split('January February March April May June July August September October November December')

export function personName(random: Random): { full: string; family: string } {
  // The square makes the first names of a list the most frequent.
  const family = random.chance(0.6)
    ? familyNames[Math.floor(familyNames.length * random.float() ** 2)]!
    : random.pick(surnameStarts) + random.pick(surnameEnds)
  return { full: `${givenNames[Math.floor(givenNames.length * random.float() ** 2)]!} ${family}`, family }
}

export const thingName = (random: Random): string => (random.chance(0.5) ? random.pick(cities) : random.pick(firms))

/** Of a family or a firm that is named once. */
export const inventedName = (random: Random): string =>
  random.chance(0.5) ? random.pick(surnameStarts) + random.pick(surnameEnds) : random.pick(firms)

export function numberText(random: Random): string {
  const kind = random.integer(100)
  if (kind < 30) return String(2 + Math.floor(98 * random.float() ** 3))
  if (kind < 50) return String(1900 + Math.floor(126 * random.float() ** 0.3))
  if (kind < 60) return `${1 + random.integer(99)}%`
  if (kind < 70) return price(random)
  if (kind < 78) return `${1 + random.integer(28)} ${random.pick(months)} ${1990 + random.integer(36)}`
  if (kind < 84) return Math.floor(10 ** (3 + 4 * random.float())).toLocaleString('en-GB')
  if (kind < 90) return `${random.integer(100)}.${random.integer(10)}`
  if (kind < 93) return `${random.integer(24)}:${String(random.integer(60)).padStart(2, '0')}`
  if (kind < 96) return `${2000 + random.integer(26)}-${two(1 + random.integer(12))}-${two(1 + random.integer(28))}`
  return String(100 + random.integer(9_900))
}

const two = (number: number): string => String(number).padStart(2, '0')

function price(random: Random): string {
  const pounds = Math.floor(10 ** (4 * random.float()))
  return `${random.pick(['£', '£', '$', '€'])}${pounds}${random.chance(0.5) ? `.${two(random.integer(100))}` : ''}`
}

const hex = (random: Random, length: number): string =>
  Array.from({ length: Math.ceil(length / 8) }, () => random.bits().toString(16).padStart(8, '0'))
    .join('')
    .slice(0, length)

/** Occurs in one piece only. */
export function uniqueToken(random: Random): string {
  const kind = random.integer(6)
  if (kind === 0) return hex(random, 40)
  if (kind === 1) return random.uuid()
  if (kind === 2) return hex(random, 12)
  if (kind === 3)
    return `INV-${2015 + random.integer(11)}-${100_000 + random.integer(900_000)}-${hex(random, 4).toUpperCase()}`
  if (kind === 4) return `+44 7${String(random.bits()).padStart(10, '0').slice(0, 9)}`
  return `10.${1000 + random.integer(9000)}/${hex(random, 10)}`
}

/** Words joined by a character: `slow_tea_order`. */
export const identifier = (random: Random, by: string): string =>
  Array.from({ length: 2 + random.integer(2) }, () => plainWord(random)).join(by)

function plainWord(random: Random): string {
  const { words, ofClass } = model()
  for (;;) {
    const word = words[draw(ofClass[random.integer(8)]!, random)]!
    if (/^[a-z]+$/.test(word)) return word
  }
}

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Under reserved names (RFC 2606), so that no seeded piece leads to a real site. */
export function address(random: Random): string {
  const host = `${random.pick(['www.', '', '', 'blog.', 'docs.'])}${random.pick(firms).toLowerCase()}.example.${random.pick(['com', 'com', 'org', 'net'])}`
  const path = random.chance(0.8) ? `/${identifier(random, '-')}` : ''
  const query = random.chance(0.15) ? `?id=${random.integer(1_000_000)}&page=${1 + random.integer(20)}` : ''
  return `https://${host}${path}${query}`
}

export function codeText(random: Random): string {
  const [one, other] = [plainWord(random), plainWord(random)]
  switch (random.integer(14)) {
    case 0:
      return `${one}_${other}`
    case 1:
      return `${one}${capital(other)}()`
    case 2:
      return `where ${one} like '%${other}_%'`
    case 3:
      return `C:\\Users\\${one}\\${other}.txt`
    case 4:
      return `\\d+\\.${one}`
    case 5:
      return `if (${one} === null) return ${other}`
    case 6:
      return `/usr/share/${one}/${other}.conf`
    case 7:
      return `--${one}=${random.integer(100)}`
    case 8:
      return `printf("%s_%d\\n", ${one})`
    case 9:
      return `${one.toUpperCase()}_${other.toUpperCase()}=1`
    case 10:
      return `#${one} @${other}`
    case 11:
      return `const ${one} = await ${identifier(random, '_')}(${other}[${random.integer(10)}])`
    case 12:
      return `npm run ${one}:${other}`
    default:
      return `v${random.integer(20)}.${random.integer(30)}.${random.integer(10)}`
  }
}

export const boilerplate: readonly string[] = [
  'This article was first published in the weekly newsletter and is printed here with small changes.',
  'If you liked this piece, you can subscribe and get the next one by e-mail.',
  'The views expressed here are the author’s own and not those of any employer.',
  'Some names and details have been changed to protect the people in this story.',
  'Have you seen a mistake? Write to the editors and we will put it right.',
  'All rights reserved. No part of this text may be copied without permission.',
  'Disclosure: the author holds shares in one of the companies named above.',
  'An earlier version of this article gave a wrong figure; it was corrected the same day.',
]

/** A passage in Chinese, Japanese or Korean (0, 1 or 2), by pairs of characters. */
export function passage(random: Random, script: number, length: number): string {
  const { characters, all, after } = model().scripts[script]!
  let text = ''
  let at = draw(all, random)
  for (let count = 0; count < length; count += 1) {
    text += characters[at]!
    const next = after[at]
    at = draw(next !== undefined && random.chance(0.85) ? next : all, random)
  }
  return `${text.trim().replaceAll(/ +/g, ' ')}。`
}

export function accentedWord(random: Random, language: number): string {
  const list = model().accented[language]!
  return list[Math.floor(list.length * random.float() ** 2)]!
}

/** Two characters swapped, one omitted, one doubled or one replaced. */
export function mistyped(word: string, random: Random): string {
  if (word.length < 4) return word
  const at = 1 + random.integer(word.length - 2)
  const [before, character, next] = [word.slice(0, at), word.charAt(at), word.charAt(at + 1)]
  const rest = word.slice(at + 2)
  switch (random.integer(4)) {
    case 0:
      return before + next + character + rest
    case 1:
      return before + next + rest
    case 2:
      return before + character + character + next + rest
    default:
      return before + String.fromCharCode(97 + random.integer(26)) + next + rest
  }
}

/** With a prefix or a suffix, or compounded with another word. */
export const derivedWord = (word: string, other: string, random: Random): string => {
  switch (random.integer(8)) {
    case 0:
      return `re${word}`
    case 1:
      return `non-${word}`
    case 2:
      return `${word}-like`
    case 3:
      return `un${word}`
    case 4:
      return `over${word}`
    default:
      return `${word}-${other}`
  }
}
