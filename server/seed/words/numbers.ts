import type { Random } from '../random.ts'

export const fewWords = `three two four five nine six seven eleven ten eight twelve forty twenty thirteen fifteen thirty
  fifty fourteen sixteen eighteen ninety seventeen nineteen sixty eighty seventy`
export const weekdays = 'Tuesday Friday Monday Thursday Sunday Wednesday Saturday'
export const months = 'March October June January September May November April February July August December'
export const seasons = 'winter spring autumn summer'

/** Recent years most, as in print; none after 2026. */
export function year(random: Random): string {
  const back = random.float()
  return String(2026 - Math.floor(150 * back * back))
}

export function percent(random: Random): string {
  const whole = random.integer(99) + 1
  return random.chance(0.75) ? `${whole}%` : `${whole}.${random.integer(9) + 1}%`
}

export function price(random: Random, currency: string): string {
  return random.chance(0.2) ? `${currency}${random.integer(40) + 1}.${random.integer(9)}0` : currency + count(random)
}

/** From a dozen to a hundred thousand, every size as likely as the next. */
export function count(random: Random): string {
  const size = Math.floor(12 * 10 ** (random.float() * 3.9))
  return grouped(random.chance(0.5) && size > 100 ? size - (size % 10) : size)
}

function grouped(number: number): string {
  if (number < 1000) return String(number)
  const rest = String(number % 1000)
  return `${Math.floor(number / 1000)},${rest.padStart(3, '0')}`
}
