/** A place in the write-ahead log, as PostgreSQL writes it: `16/B374D848`. Two of them compare as numbers. */
export type Position = bigint

const shape = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/

/** Undefined for what is none. */
export function readPosition(text: string): Position | undefined {
  const parts = shape.exec(text)
  return parts ? (BigInt(`0x${parts[1]}`) << 32n) | BigInt(`0x${parts[2]}`) : undefined
}
