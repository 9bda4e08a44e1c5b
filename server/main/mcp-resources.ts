import { llmsText } from '#http/discovery/llms.ts'
import type { WriteCatalogue } from '#http/discovery/llms-products.ts'
import type { ApiDescription } from '#http/discovery/openapi.ts'
import type { Document } from '#http/mcp/resources.ts'
import type { ReadContext } from '#platform/context.ts'
import type { SiteInfo } from '#platform/site.ts'

/** Texts of the discovery door that the tool server hands out as resources; only a root sees both surfaces. */
export const toolDocuments = (
  reads: ReadContext,
  siteInfo: SiteInfo,
  writeCatalogue: WriteCatalogue,
  description: () => Promise<ApiDescription>,
): Document[] => [
  {
    path: '/llms.txt',
    name: 'llms',
    title: 'llms.txt',
    description: 'This site for language models: what there is, and where.',
    mimeType: 'text/plain',
    text: () => llmsText(reads, siteInfo),
  },
  {
    path: '/llms-products.txt',
    name: 'llms-products',
    title: 'llms-products.txt',
    description: 'The shop as text, a line for each listing.',
    mimeType: 'text/plain',
    text: async () => String(await writeCatalogue()),
  },
  {
    path: '/api/openapi.json',
    name: 'openapi',
    title: 'OpenAPI description',
    description: 'Every call of the API.',
    mimeType: 'application/json',
    text: async () => (await description()).json.toString(),
  },
]
