import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../testing-messages.ts'
import { browserName } from './browser-name.ts'

test('a browser is named by what it is, not by all that it claims to be', () => {
  const names: Record<string, string> = {
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0':
      'Edge on Windows',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15':
      'Safari on Mac',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1':
      'Chrome on iPhone',
    'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0': 'Firefox on Linux',
    'curl/8.5.0': 'Unknown browser',
    'Agent (X11; Linux x86_64)': 'Unknown browser on Linux',
  }
  for (const [userAgent, name] of Object.entries(names)) assert.equal(browserName(userAgent), name)
  assert.equal(browserName(null), 'Unknown browser')
})
