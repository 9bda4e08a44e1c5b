/**
 * JSON as RFC 8785 (JCS) writes it: the same bytes for the same value, whoever writes it. Members are sorted by their
 * UTF-16 units, as JavaScript sorts strings; strings and numbers are as JSON.stringify writes them.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
    return `{${members.map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`).join(',')}}`
  }
  const isWritable =
    value === null ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value)) ||
    (typeof value === 'string' && value.isWellFormed())
  if (!isWritable) throw new TypeError('This value has no canonical form.')
  return JSON.stringify(value)
}
