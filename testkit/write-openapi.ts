import { readFileSync, writeFileSync } from 'node:fs'
import { openapiDocument } from '../server/commands/openapi.ts'
import { breakingDifferences } from './openapi.ts'

/** `npm run openapi`: writes docs/openapi.json. Refuses a breaking change. */
const file = new URL('../docs/openapi.json', import.meta.url)
const current = await openapiDocument({ BASE_URL: 'https://standfirst.example' })
const broken = breakingDifferences(JSON.parse(readFileSync(file, 'utf8')), JSON.parse(current))
if (broken.length > 0) {
  console.error(`This would break those who use the API:\n${broken.map((one) => `  ${one}`).join('\n')}`)
  process.exitCode = 1
} else {
  writeFileSync(file, current)
}
