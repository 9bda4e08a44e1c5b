import type { Prompt } from './prompts.ts'
import type { Resource, ResourceTemplate } from './resources.ts'
import type { Call, Tool } from './tool.ts'

/** All that a dispatcher serves. */
export interface Catalogue<By extends Call = Call> {
  readonly tools: readonly Tool<By>[]
  readonly prompts: readonly Prompt<By>[]
  readonly resources: readonly Resource<By>[]
  readonly templates: readonly ResourceTemplate<By>[]
}

export const hasPrompts = <By extends Call>({ prompts }: Catalogue<By>): boolean => prompts.length > 0
export const hasResources = <By extends Call>({ resources, templates }: Catalogue<By>): boolean =>
  resources.length + templates.length > 0

/** What there is. No lists that change and no log: there is no stream to tell of them on. */
export const capabilitiesOf = <By extends Call>(catalogue: Catalogue<By>) => ({
  tools: {},
  ...(hasPrompts(catalogue) ? { prompts: {} } : {}),
  ...(hasResources(catalogue) ? { resources: {} } : {}),
  ...(hasPrompts(catalogue) || hasResources(catalogue) ? { completions: {} } : {}),
})
