import { forbiddenTargets } from './bypass-forms.ts'
import type { NameRecord, Zone } from './name-server.ts'
import type { Manner } from './receiver.ts'

/** Who is who inside the namespace. The public addresses are root servers' in real life; here all are this machine. */

export const outside = { v4: '198.41.0.4', v6: '2001:500:2::c' }
const untrusted = '192.5.5.241'
const plain = '192.112.36.4'
const silent = '199.7.91.13'
const resetting = '192.33.4.12'
/** Has no route, not even to here. */
export const unreachable = '198.97.190.53'

export const manners: Readonly<Record<string, Manner>> = {
  [outside.v4]: 'good',
  [outside.v6]: 'good',
  [untrusted]: 'untrusted',
  [plain]: 'plain',
  [silent]: 'silent',
  [resetting]: 'reset',
}

export const targetName = (place: number): string => `target-${place}.outside.example`

const a = (...addresses: string[]): NameRecord[] => addresses.map((data) => ({ type: 'A', data }))
const aaaa = (...addresses: string[]): NameRecord[] => addresses.map((data) => ({ type: 'AAAA', data }))
const alias = (of: string, data: string): NameRecord => ({ type: 'CNAME', of, data })

/** Records of either type; the questioner is told those of the type it asked for, and all aliases. */
const records: Record<string, readonly NameRecord[]> = {
  good: a(outside.v4),
  six: aaaa(outside.v6),
  inside: a('10.0.0.1'),
  many: a(outside.v4, '192.203.230.10', '10.0.0.1'),
  mixed: [...a(outside.v4), ...aaaa('::1')],
  mapped: aaaa('::ffff:198.41.0.4'),
  alias: [
    alias('alias.outside.example', 'inside.outside.example'),
    { type: 'A', of: 'inside.outside.example', data: '10.0.0.1' },
  ],
  aliases: [
    alias('aliases.outside.example', 'one.outside.example'),
    alias('one.outside.example', 'localhost'),
    { type: 'AAAA', of: 'localhost', data: '::1' },
    { type: 'A', of: 'localhost', data: '127.0.0.1' },
  ],
  'strange-owner': [...a(outside.v4), { type: 'A', of: 'else.example', data: '169.254.169.254' }],
  'half-dead': [...a(unreachable, outside.v4)],
  dead: a(unreachable),
  silent: a(silent),
  reset: a(resetting),
  untrusted: a(untrusted),
  plain: a(plain),
  empty: [],
}
for (const [place, target] of forbiddenTargets.entries()) {
  records[`target-${place}`] = target.includes(':') ? aaaa(target) : a(target)
}

export const zone: Zone = (name, type, asked) => {
  if (name === 'good.elsewhere.example') return type === 'A' ? a(outside.v4) : []
  const [label] = name.split('.', 1) as [string]
  if (label === 'flip') return type === 'A' ? a(asked % 2 === 0 ? outside.v4 : '169.254.169.254') : []
  if (label === 'rebind') return type === 'A' ? a(asked === 0 ? outside.v4 : '169.254.169.254') : []
  if (label === 'no-six') return type === 'A' ? a(outside.v4) : 'failure'
  if (label === 'half-mute') return type === 'A' ? a(outside.v4) : 'silence'
  if (label === 'broken') return 'failure'
  if (label === 'mute') return 'silence'
  return records[label]?.filter((record) => record.type === type || record.type === 'CNAME') ?? 'missing'
}
