import type { TableSum } from './checksums.ts'

const number = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 })

export const inNumbers = (value: number): string => number.format(value)

export function sizeInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  if (bytes < 1e6) return `${inNumbers(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${inNumbers(bytes / 1e6)} MB` : `${inNumbers(bytes / 1e9)} GB`
}

export const totalRows = (tables: readonly TableSum[]): string =>
  inNumbers(tables.reduce((total, { rows }) => total + Number(rows), 0))
