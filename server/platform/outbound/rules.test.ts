import assert from 'node:assert/strict'
import { test } from 'node:test'
import ipaddr from 'ipaddr.js'
import { translatorOf } from '#messages/translator.ts'
import { createOutbound } from './outbound.ts'
import { addressList, isForbiddenAddress, readAllowList } from './rules.ts'

const outbound = createOutbound({ ownHosts: ['Standfirst.Example', 'media.standfirst.example:8080', 'bücher.example'] })

const problemOf = (text: string, { check } = outbound): string | undefined => {
  const checked = check(text)
  return 'problem' in checked ? translatorOf('en').say(checked.problem) : undefined
}

test('an ordinary address passes, as a browser would write it', () => {
  const forms = {
    'https://example.org': 'https://example.org/',
    'https://example.org:443/hook?to=1#top': 'https://example.org/hook?to=1#top',
    ' HTTPS://Hooks.Example.ORG/a b\n': 'https://hooks.example.org/a%20b',
    'https://grüße.example/ü': 'https://xn--gre-6ka8l.example/%C3%BC',
    'https://local.example/': 'https://local.example/',
    'https://my_host.example/': 'https://my_host.example/',
  }
  for (const [text, href] of Object.entries(forms)) {
    const checked = outbound.check(text)
    assert.ok('url' in checked, `${text}: ${JSON.stringify(checked)}`)
    assert.equal(checked.url.href, href)
  }
})

test('every refusal tells the writer what to do', () => {
  const refusals: Record<string, string[]> = {
    'Enter a complete URL, such as https://example.org/hook.': [
      '',
      'example.org',
      '//example.org/',
      'https://',
      'https://exa mple.org',
      'https://256.256.256.256/',
      'https://example.org:99999/',
    ],
    'Use a URL that starts with https://.': [
      'http://example.org',
      'ftp://example.org',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'unix:/run/postgresql',
    ],
    'Leave out the user name and password before the @.': [
      'https://me@example.org',
      'https://:secret@example.org',
      'https://example.org:x@10.0.0.1/',
    ],
    'Leave out the port: only 443, the default for https, is allowed.': [
      'https://example.org:80',
      'https://example.org:22',
      'https://example.org:5432',
      'https://example.org:8443',
    ],
    'Use a host name, such as example.org, instead of an IP address.': ['https://8.8.8.8', 'https://[2606:4700::1]'],
    'Leave out the dot at the end of the host name.': ['https://example.org./', 'https://localhost./'],
    'Use a full host name, such as example.org.': ['https://localhost/', 'https://postgres/'],
    'Use a host name made of letters, digits, hyphens and dots.': [
      'https://a..example.org/',
      'https://.example.org/',
      'https://a,b.example.org/',
      'https://*.example.org/',
      'https://-a.example.org/',
      `https://${'a'.repeat(64)}.example.org/`,
      `https://${'a.'.repeat(127)}org/`,
    ],
    'Use a URL of your own: this one belongs to this site.': [
      'https://standfirst.example/desk',
      'https://STANDFIRST.example',
      'https://media.standfirst.example/',
      'https://xn--bcher-kva.example/',
      'https://BÜCHER.example/',
    ],
    'Use a URL of up to 2,048 characters.': [
      `https://example.org/${'a'.repeat(2_048)}`,
      `https://example.org/${'ü'.repeat(400)}`,
    ],
  }
  for (const [problem, texts] of Object.entries(refusals)) {
    for (const text of texts) assert.equal(problemOf(text), problem, text)
  }
  for (const ending of ['.local', '.internal', '.localhost', '.home.arpa', '.onion', '.test']) {
    const problem = `Use a public host name: names that end in ${ending} are private.`
    for (const host of [`host${ending}`, `a.b${ending}`, `HOST${ending.toUpperCase()}`]) {
      assert.equal(problemOf(`https://${host}/`), problem, host)
    }
  }
})

test('2,048 characters are the most that passes', () => {
  const fill = 'a'.repeat(2_048 - 'https://example.org/'.length)
  assert.equal(problemOf(`https://example.org/${fill}`), undefined)
  assert.notEqual(problemOf(`https://example.org/${fill}a`), undefined)
})

test('an allow list is host and port pairs, and nothing else is taken for one', () => {
  const list = readAllowList(' LocalHost:9000, 0x7f.1:80,[::1]:443 ,bücher.example:8080,')
  assert.deepEqual([...list!], ['localhost:9000', '127.0.0.1:80', '[::1]:443', 'xn--bcher-kva.example:8080'])
  assert.deepEqual([...readAllowList('')!], [])
  const wrong = `localhost localhost: :80 localhost:0 localhost:65536 localhost:http http://localhost:80 me@localhost:80
    *:80 *.example.org:443 localhost:80/x localhost:80:80 ::1:80 a\\b:80 localhost:-1`.split(/\s+/)
  for (const text of wrong) {
    assert.equal(readAllowList(text), undefined, text)
    assert.equal(readAllowList(`localhost:9000,${text}`), undefined, text)
  }
})

test('what is on the allow list passes whatever its scheme, port and address; its neighbours do not', () => {
  const lifted = createOutbound({
    ownHosts: ['standfirst.example'],
    allow: readAllowList('localhost:9000,127.0.0.1:80,[::1]:443,hooks.example.org:8443')!,
  })
  const passing = ['http://localhost:9000/x', 'https://localhost:9000/', 'http://127.0.0.1/', 'http://2130706433:80/']
  for (const text of [...passing, 'https://[::1]/', 'https://[0:0::1]:443/', 'http://hooks.example.org:8443/']) {
    assert.equal(problemOf(text, lifted), undefined, text)
  }
  const refused = [
    'http://localhost/',
    'http://localhost:9001/',
    'https://127.0.0.1/',
    'http://127.0.0.2/',
    'http://[::1]/',
  ]
  for (const text of [...refused, 'https://me@localhost:9000/', 'ftp://localhost:9000/', 'http://example.org/']) {
    assert.notEqual(problemOf(text, lifted), undefined, text)
  }
})

/** The same question to ipaddr.js: its special ranges, its matching and its parser. */
function referenceForbids(ip: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  // AS112 and AMT relays are anycast services on the public internet.
  if (ip instanceof ipaddr.IPv4) return !['unicast', 'as112', 'amt'].includes(ip.range()) || ip.match(wireServer)
  return !ip.match(globalV6) || !(ip.range() === 'unicast' || ip.match(as112))
}
const wireServer = ipaddr.parseCIDR('168.63.129.16/32') as [ipaddr.IPv4, number]
const globalV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]
const as112 = ipaddr.parseCIDR('2620:4f:8000::/48') as [ipaddr.IPv6, number]

const agree = (text: string) => assert.equal(isForbiddenAddress(text), referenceForbids(ipaddr.parse(text)), text)

const specialV4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24
  198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32`.split(/\s+/)

const specialV6 =
  `::/128 ::1/128 ::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64
  2000::/3 2001::/23 2001::/32 2001:1::1/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28
  2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10
  ff00::/8`.split(/\s+/)

const v4Text = (value: number): string => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
const v6Text = (value: bigint): string => value.toString(16).padStart(32, '0').match(/.{4}/g)!.join(':')
const numberOf = (network: string): bigint =>
  BigInt(`0x${Buffer.from(ipaddr.parse(network).toByteArray()).toString('hex')}`)

/** First and last of a range, one before, one after. */
function edges(cidr: string, bits: number): bigint[] {
  const [network, prefix] = cidr.split('/') as [string, string]
  const size = 1n << BigInt(bits - Number(prefix))
  const first = numberOf(network)
  const all = 1n << BigInt(bits)
  return [first - 1n, first, first + size - 1n, first + size].map((edge) => ((edge % all) + all) % all)
}

test('IPv4: at every edge of every special range the answer is that of an independent reference', (t) => {
  const texts = specialV4.flatMap((cidr) => edges(cidr, 32)).map((edge) => v4Text(Number(edge)))
  texts.forEach(agree)
  t.diagnostic(`${texts.length} edges`)
})

test('IPv4: between two edges nothing changes, so that the edges stand for all addresses', (t) => {
  const borders = [...new Set(specialV4.flatMap((cidr) => edges(cidr, 32)))].map(Number).sort((a, b) => a - b)
  const steps = 200
  for (const [place, border] of borders.entries()) {
    const width = (borders[place + 1] ?? 2 ** 32) - border
    for (let step = 0; step < steps; step += 1) agree(v4Text(border + Math.floor((width * step) / steps)))
  }
  t.diagnostic(`${borders.length * steps} addresses`)
})

test('IPv6: at every edge of every special range the answer is that of an independent reference', (t) => {
  const texts = specialV6.flatMap((cidr) => edges(cidr, 128)).map(v6Text)
  texts.forEach(agree)
  t.diagnostic(`${texts.length} edges`)
})

const total = Number(process.env['ADDRESSES'] ?? 100_000)

test(`IPv6: ${total} random addresses, half of them in or beside special ranges`, (t) => {
  const known = specialV6.map((cidr) => {
    const [ip, prefix] = ipaddr.parseCIDR(cidr) as [ipaddr.IPv6, number]
    return { parts: ip.parts, prefix }
  })
  const random = randomBits(20_240_613)
  const seen = { forbidden: 0, public: 0 }
  for (let count = 0; count < total; count += 1) {
    const parts = Array.from({ length: 8 }, () => random() >>> 16)
    const kind = count % 4
    if (kind === 1) parts[0] = (parts[0]! & 0x1fff) | 0x2000
    if (kind >= 2) {
      const { parts: network, prefix } = known[random() % known.length]!
      for (const [place, part] of network.entries()) {
        const fixed = Math.min(16, Math.max(0, prefix - place * 16))
        const mask = (0xffff << (16 - fixed)) & 0xffff
        parts[place] = (part & mask) | (parts[place]! & ~mask & 0xffff)
      }
      // One bit off, in the last sixteen of the prefix: just outside.
      const bit = prefix - 1 - (random() % Math.min(prefix, 16))
      if (kind === 3) parts[bit >> 4]! ^= 0x8000 >> (bit & 15)
    }
    const text = spell(parts, count % 16)
    const forbids = isForbiddenAddress(text)
    // Every seventeenth also with the reference's parser, which takes most of the time.
    const reference = count % 17 === 0 ? ipaddr.parse(text) : new ipaddr.IPv6(parts)
    if (forbids !== referenceForbids(reference)) assert.fail(`${text}: we say ${forbids}`)
    seen[forbids ? 'forbidden' : 'public'] += 1
  }
  assert.ok(seen.public > total / 10 && seen.forbidden > total / 10)
  t.diagnostic(`${seen.forbidden} forbidden, ${seen.public} public`)
})

/** Mulberry32: the same addresses in every run. */
function randomBits(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

/** Four notations of the same address, chosen independently of its kind. */
function spell(parts: readonly number[], choice: number): string {
  const groups = parts.map((part) => part.toString(16))
  const way = choice >> 2
  if (way === 0) return groups.map((group) => group.padStart(4, '0').toUpperCase()).join(':')
  if (way === 1) return `${groups.slice(0, 6).join(':')}:${v4Text(((parts[6]! << 16) | parts[7]!) >>> 0)}`
  if (way === 2) return groups.join(':').replace(/(^|:)0(:0)+(:|$)/, '::')
  return groups.join(':')
}

test('what is not an address in its usual spelling is forbidden', () => {
  const texts = `x example.org 8.8.8 8.8.8.8.8 08.8.8.8 0x8.8.8.8 134744072 8.8.8.256 8.8.8.-1 2606:4700 2606:4700::g
    [2606:4700::1] 2606:4700::1%lo fe80::1%1 1::2::3 ::ffff:8.8.8.8 ::8.8.8.8 ①.1.1.1 8.8.8.8/32`.split(/\s+/)
  for (const text of [...texts, '', ' ', ' 8.8.8.8', '8.8.8.8 ', '8.8.8.8\n']) {
    assert.equal(isForbiddenAddress(text), true, JSON.stringify(text))
  }
})

test('an address of our own is forbidden in every spelling, its neighbour is not', () => {
  const own = addressList(['198.41.0.4', '2001:500:2::c'])
  for (const text of ['198.41.0.4', '2001:500:2::c', '2001:0500:2:0:0:0:0:C']) {
    assert.equal(isForbiddenAddress(text), false, text)
    assert.equal(isForbiddenAddress(text, own), true, text)
  }
  for (const text of ['198.41.0.5', '2001:500:2::d']) assert.equal(isForbiddenAddress(text, own), false, text)
})
