export interface Random {
  /** An unsigned 32-bit random integer. */
  bits(): number
  /** In [0, 1). */
  float(): number
  integer(below: number): number
  pick<T>(list: readonly T[]): T
  chance(p: number): boolean
  /** RFC 4122, version 4. */
  uuid(): string
}

const two32 = 2 ** 32

/**
 * A separate stream for every (seed, index), so that threads can split a range and still write the same pieces. The
 * generator is sfc32, which passes PractRand; its first 15 outputs only mix the key in.
 */
export function randomFrom(seed: number, index: number): Random {
  let a = seed | 0
  let b = index | 0
  let c = Math.imul(Math.floor(seed / two32), 0x9e3779b1) ^ Math.floor(index / two32)
  let counter = 1

  function bits(): number {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  for (let i = 0; i < 15; i++) bits()

  function integer(below: number): number {
    return Math.floor((bits() * below) / two32)
  }

  return {
    bits,
    float: () => bits() / two32,
    integer,
    pick: <T>(list: readonly T[]) => list[integer(list.length)] as T,
    chance: (p) => bits() < p * two32,
    uuid() {
      const version = (bits() & 0xffff0fff) | 0x4000
      const variant = (bits() & 0x3fffffff) | 0x80000000
      const [one, two, three, four] = [hex(bits()), hex(version), hex(variant), hex(bits())]
      return `${one}-${two.slice(0, 4)}-${two.slice(4)}-${three.slice(0, 4)}-${three.slice(4)}${four}`
    },
  }
}

function hex(bits: number): string {
  return (bits >>> 0).toString(16).padStart(8, '0')
}
