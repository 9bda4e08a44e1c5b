import { writeFile } from 'node:fs/promises'
import { openapiDocument } from '../commands/openapi.ts'

/** `npm run openapi`: the released description, which later changes are compared with. */
await writeFile(
  new URL('../../docs/openapi.json', import.meta.url),
  await openapiDocument({ BASE_URL: 'https://standfirst.example' }),
)
