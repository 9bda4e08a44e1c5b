import type { Draft } from './draft.ts'

/** Members in the order in which a writer would look for them, by the names the desk's export gives them. */
const lines = [
  ['headline', 'headline'],
  ['standfirst', 'sub'],
  ['category', 'category'],
  ['tags', 'tags'],
  ['frame', 'frame'],
  ['style', 'style'],
  ['locale', 'locale'],
  ['external_url', 'external_url'],
] as const satisfies readonly (readonly [string, keyof Draft])[]

/** A draft as a file that `push` reads as the same draft. `more` is kept for its writer and not sent. */
export function writtenPage(draft: Draft, more: Readonly<Record<string, unknown>> = {}): string {
  const said = lines.filter(([, member]) => draft[member] !== undefined && draft[member] !== null)
  const facts = [...said.map(([name, member]) => [name, draft[member]] as const), ...Object.entries(more)]
  return `---\n${facts.map(([name, value]) => `${name}: ${yaml(value)}\n`).join('')}---\n\n${draft.body_md}`
}

/** Words that YAML reads as those words, bare: most titles look as their writer would have typed them. */
const bare = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)\p{L}[\p{L}\p{M}\p{N} ,.!?'’()/-]*$/iu

const isBare = (value: unknown): boolean => typeof value === 'string' && bare.test(value) && value === value.trim()

const yaml = (value: unknown): string => {
  if (!Array.isArray(value)) return isBare(value) ? String(value) : quoted(value)
  return `[${value.map((one) => (isBare(one) && !one.includes(',') ? one : quoted(one))).join(', ')}]`
}

/** JSON is YAML, but for characters that would end the line or may not stand there. */
const quoted = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
