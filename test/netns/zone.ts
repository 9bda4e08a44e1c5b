export interface NameRecord {
  readonly type: 'A' | 'AAAA' | 'CNAME'
  readonly data: string
  /** The record's owner name, if not the queried name. */
  readonly of?: string
}

/** `asked` counts the queries for this name and type, from 0. */
export type Zone = (
  name: string,
  type: string,
  asked: number,
) => readonly NameRecord[] | 'silence' | 'missing' | 'failure'

/** The server of an address on port 443. Connections to any other address are recorded and closed. */
export type Manner = 'good' | 'untrusted' | 'plain' | 'silent' | 'reset'

/** Spellings of addresses that must never be called. The names, if they resolve, lead to private addresses. */

const hosts = {
  'this machine': `127.0.0.1 127.1 127.0.1 127.0.0.1. 127.255.255.254 127.0.0.1:443 0x7f.1 0x7f.0.0.1 0x7f000001
    0X7F000001 0x7f.0x0.0x0.0x1 0177.0.0.1 0177.1 017700000001 2130706433 2130706433. 0000127.1 0 0x0 0.0.0.0
    ①②⑦.0.0.1 ①②⑦.⓪.⓪.① １２７.０.０.１ 127。0。0。1 127．0．0．1 %31%32%37.0.0.1 127.0.0.1%2e 127%2e0%2e0%2e1
    [::1] [::] [0:0:0:0:0:0:0:1] [0000::0001] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [::7f00:1]
    [::ffff:0:7f00:1] [64:ff9b::7f00:1] [64:ff9b::127.0.0.1] [2002:7f00:1::] [fe80::5efe:7f00:1]
    localhost LOCALHOST localhost. ⓛocalhost ⓛⓞⓒⓐⓛⓗⓞⓢⓣ ｌocalhost local%68ost local\u00adhost localhost%E3%80%82
    app.localhost app.localhost. localhost.localhost`,
  'metadata of clouds': `169.254.169.254 169.254.169.254. 169.254.43518 169.16689662 2852039166 0xa9fea9fe
    0xA9.0xFE.0xA9.0xFE 0251.0376.0251.0376 0xa9.254.0251.254 ①⑥⑨.②⑤④.①⑥⑨.②⑤④ 168.63.129.16 100.100.100.200
    192.0.0.192 [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [64:ff9b::a9fe:a9fe] [64:ff9b:1::a9fe:a9fe]
    [2002:a9fe:a9fe::] [fd00:ec2::254] [fd20:ce::254] metadata.google.internal METADATA.Google.INTERNAL
    metadata.google.internal. ｍetadata.google.internal metadata.google。internal instance-data`,
  'private networks': `10.0.0.1 10.1 167772161 012.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 192.168.257 3232235777
    100.64.0.1 198.18.0.1 224.0.0.1 255.255.255.255 [fc00::1] [fd12:3456:789a::1] [fe80::1] [fec0::1] [ff02::1]
    [100::1] [2001:db8::1] [2001:0:7f00:1::] [3fff::1] [5f00::1] printer.local router.home.arpa db.internal
    postgres hidden.onion ci.test CI.TEST`,
  'public, but numbers': '198.41.0.4 [2001:500:2::c] 0xc6290004',
  'this service': `standfirst.example STANDFIRST.example standfirst.example. standfirst。example ｓtandfirst.example
    standfirst.example:443 %73tandfirst.example`,
}

/** User info in the URL, schemes and ports of other services, characters that parsers drop. */
const texts = [
  'https://good.outside.example@127.0.0.1/',
  'https://good.outside.example:443@169.254.169.254/',
  'https://good.outside.example%2f@127.0.0.1/',
  'https://127.0.0.1\\@good.outside.example/',
  'https://127.0.0.1#@good.outside.example/',
  'https://127.0.0.1?@good.outside.example/',
  'https://127.0.0.1/@good.outside.example/',
  'https://me:secret@good.outside.example/',
  'https:127.0.0.1',
  'https:/127.0.0.1',
  'https:///127.0.0.1',
  'https:\\\\127.0.0.1\\',
  ' \u0000https://127.0.0.1',
  'ht\ttps://127.0.0.1/',
  'https://1\n27.0.0.1/',
  'https://local\r\nhost/',
  '//127.0.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2130706433',
  'http://good.outside.example/',
  'http://good.outside.example:443/',
  'https://good.outside.example:22/',
  'https://good.outside.example:80/',
  'https://good.outside.example:5432/',
  'https://good.outside.example:6379/',
  'https://127.0.0.1:8080/',
  'https://[::1]:5432/',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'dict://127.0.0.1:6379/info',
  'ftp://127.0.0.1/',
  'ws://127.0.0.1/',
  'wss://127.0.0.1/',
  'file:///etc/passwd',
  'file://127.0.0.1/etc/passwd',
  'blob:https://127.0.0.1/0a',
  'data:text/plain,x',
  'unix:/run/postgresql/.s.PGSQL.5432',
  'https://[::1%25lo]/',
  'https://[fe80::1%25eth0]/',
  'https://[v1.127.0.0.1]/',
  'https://127.0.0.1:443:80/',
]

export const bypassForms: readonly string[] = [
  ...Object.values(hosts)
    .flatMap((list) => list.split(/\s+/))
    .map((host) => `https://${host}/`),
  ...texts,
]

/** Forbidden addresses a name may resolve to: at least one of each range, its first and last where possible. */
export const forbiddenTargets: readonly string[] = `0.0.0.0 0.255.255.255 10.0.0.0 10.0.0.1 10.255.255.255 100.64.0.0
  100.127.255.255 127.0.0.0 127.0.0.1 127.255.255.255 168.63.129.16 169.254.0.0 169.254.169.254 169.254.255.255
  172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.255 192.0.2.0 192.0.2.255 192.88.99.0 192.88.99.255 192.168.0.0
  192.168.1.1 192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255
  224.0.0.0 239.255.255.255 240.0.0.0 255.255.255.255
  :: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:169.254.169.254 ::ffff:198.41.0.4 ::ffff:0:7f00:1 64:ff9b::7f00:1
  64:ff9b::a9fe:a9fe 64:ff9b:1::a00:1 100::1 1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2001:: 2001:0:7f00:1::
  2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff 2001:db8::1 2002:: 2002:7f00:1:: 2002:a9fe:a9fe:: 3fff::
  3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff 4000:: 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1`.split(/\s+/)

/** The hosts inside the namespace. The public addresses belong to DNS root servers; here all are this machine. */

export const outside = { v4: '198.41.0.4', v6: '2001:500:2::c' }
const untrusted = '192.5.5.241'
const plain = '192.112.36.4'
const silent = '199.7.91.13'
const resetting = '192.33.4.12'
/** Unreachable even inside the namespace. */
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

/** Records of either type; an answer has those of the queried type, and all aliases. */
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
