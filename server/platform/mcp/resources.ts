import { ServiceError } from '../errors.ts'
import type { Completers } from './completion.ts'
import { codes, type Params, RpcError } from './json-rpc.ts'
import type { Call } from './tool.ts'

export interface Named {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
}

type Contents = { readonly uri: string; readonly mimeType?: string } & (
  | { readonly text: string }
  | { readonly blob: string }
)

export interface Resource<By extends Call = Call> {
  readonly definition: Named & { readonly uri: string }
  read(by: By): Promise<Contents>
}

export interface ResourceTemplate<By extends Call = Call> {
  readonly definition: Named & { readonly uriTemplate: string }
  readonly completes: Completers<By>
  /** Nothing where the address is not of this template. */
  read(uri: string, by: By): Promise<Contents> | undefined
}

interface Readable<By extends Call> {
  readonly resources: readonly Resource<By>[]
  readonly templates: readonly ResourceTemplate<By>[]
}

/** Only what is listed, and what a template names: nothing is ever fetched. */
export async function readResource<By extends Call>(
  { uri }: Params,
  { resources, templates }: Readable<By>,
  by: By,
  notFoundCode: number = codes.resource,
) {
  if (typeof uri !== 'string') throw new RpcError(codes.params, 'Invalid params: uri must be a string')
  const missing = () => new RpcError(notFoundCode, 'Resource not found', { uri: uri.slice(0, 2000).toWellFormed() })
  try {
    for (const resource of resources)
      if (resource.definition.uri === uri) return { contents: [await resource.read(by)] }
    for (const template of templates) {
      const contents = await template.read(uri, by)
      if (contents) return { contents: [contents] }
    }
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) throw missing()
    throw error
  }
  throw missing()
}
