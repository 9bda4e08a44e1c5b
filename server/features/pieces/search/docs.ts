/**
 * Whom the numbers of a volume's lists stand for: places in the order of recency, newest first. So many a row, so that
 * a row fits a page.
 */
export interface Member {
  readonly publishedAt: Date
  readonly id: string
}

export const membersARow = 336
const memberBytes = 24

export function writeMembers(members: readonly Member[]): Buffer {
  const bytes = Buffer.allocUnsafe(members.length * memberBytes)
  for (const [place, { publishedAt, id }] of members.entries()) {
    bytes.writeDoubleBE(publishedAt.getTime(), place * memberBytes)
    bytes.write(id.replaceAll('-', ''), place * memberBytes + 8, 'hex')
  }
  return bytes
}

export function readMember(bytes: Buffer, place: number): Member {
  const at = place * memberBytes
  return { publishedAt: new Date(bytes.readDoubleBE(at)), id: uuidIn(bytes.subarray(at + 8, at + memberBytes)) }
}

export const countMembers = (bytes: Buffer): number => bytes.length / memberBytes

function uuidIn(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Newest first; the id settles ties. */
export const byRecency = (a: Member, b: Member): number =>
  b.publishedAt.getTime() - a.publishedAt.getTime() || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)
