import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOutbound } from './outbound.ts'
import { readAllowList } from './rules.ts'

const outbound = createOutbound({ ownHosts: ['Standfirst.Example', 'media.standfirst.example:8080', 'bücher.example'] })

const problemOf = (text: string, { check } = outbound): string | undefined => {
  const checked = check(text)
  return 'problem' in checked ? checked.problem : undefined
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
    'Write a complete address, such as https://example.org/hook.': [
      '',
      'example.org',
      '//example.org/',
      'https://',
      'https://exa mple.org',
      'https://256.256.256.256/',
      'https://example.org:99999/',
    ],
    'Use an address that begins with https://.': [
      'http://example.org',
      'ftp://example.org',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'unix:/run/postgresql',
    ],
    'Leave out the user name and the password before the @.': [
      'https://me@example.org',
      'https://:secret@example.org',
      'https://example.org:x@10.0.0.1/',
    ],
    'Leave out the port: only 443, the usual one of https, is called.': [
      'https://example.org:80',
      'https://example.org:22',
      'https://example.org:5432',
      'https://example.org:8443',
    ],
    'Use a host name, such as example.org, instead of an IP address.': ['https://8.8.8.8', 'https://[2606:4700::1]'],
    'Leave out the dot at the end of the host name.': ['https://example.org./', 'https://localhost./'],
    'Use a full host name with a dot in it, such as example.org.': ['https://localhost/', 'https://postgres/'],
    'Use a host name made of letters, digits and hyphens between its dots.': [
      'https://a..example.org/',
      'https://.example.org/',
      'https://a,b.example.org/',
      'https://*.example.org/',
      'https://-a.example.org/',
      `https://${'a'.repeat(64)}.example.org/`,
      `https://${'a.'.repeat(127)}org/`,
    ],
    'Use an address of your own: this one belongs to this service.': [
      'https://standfirst.example/desk',
      'https://STANDFIRST.example',
      'https://media.standfirst.example/',
      'https://xn--bcher-kva.example/',
      'https://BÜCHER.example/',
    ],
    'Use an address of at most 2,048 characters.': [
      `https://example.org/${'a'.repeat(2_048)}`,
      `https://example.org/${'ü'.repeat(400)}`,
    ],
  }
  for (const [problem, texts] of Object.entries(refusals)) {
    for (const text of texts) assert.equal(problemOf(text), problem, text)
  }
  for (const ending of ['.local', '.internal', '.localhost', '.home.arpa', '.onion', '.test']) {
    const problem = `Use a host name that everyone can reach: names that end in ${ending} are private.`
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
