import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageTag } from './language.ts'

test('what is a language tag, or nearly one, is written as the standard has it', () => {
  assert.deepEqual(['en', 'EN-gb', 'en_GB', ' zh-hant-tw '].map(languageTag), ['en', 'en-GB', 'en-GB', 'zh-Hant-TW'])
})

test('what is none is said to be unknown', () => {
  for (const said of ['Plain English (UK)', '', '-', 'e', '"><b>', 'en-']) assert.equal(languageTag(said), 'und', said)
})
