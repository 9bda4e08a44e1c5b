/** Which differences between two OpenAPI documents could break somebody who wrote against the first. */

type Json = Readonly<Record<string, unknown>>
interface Operation {
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema?: Json
  }[]
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Json }>> }>
  >
}
interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Json>> }
}

export function breakingDifferences(before: Document, after: Document): string[] {
  const problems: string[] = []
  for (const [path, operations] of Object.entries(before.paths ?? {})) {
    for (const [method, operation] of Object.entries(operations)) {
      const where = `${method.toUpperCase()} ${path}`
      const now = after.paths?.[path]?.[method]
      if (now) problems.push(...parameters(where, operation, now), ...answers(where, operation, now, before, after))
      else problems.push(`${where} is gone`)
    }
  }
  return problems
}

function parameters(where: string, before: Operation, after: Operation): string[] {
  const problems: string[] = []
  for (const one of after.parameters ?? []) {
    const known = before.parameters?.find(({ name, in: place }) => name === one.name && place === one.in)
    if (one.required && !known?.required) problems.push(`${where}: ${one.name} has become required`)
    if (known) problems.push(...narrowed(`${where}: ${one.name}`, known.schema ?? {}, one.schema ?? {}))
  }
  for (const { name, in: place } of before.parameters ?? []) {
    const kept = after.parameters?.some((one) => one.name === name && one.in === place)
    if (!kept) problems.push(`${where}: ${name} is no longer taken`)
  }
  return problems
}

/** What a caller may send must not shrink. */
function narrowed(where: string, before: Json, after: Json): string[] {
  const problems: string[] = []
  const tighter = (key: string, isTighter: (was: number, is: number) => boolean) => {
    const [was, is] = [before[key] as number | undefined, after[key] as number | undefined]
    if (is !== undefined && (was === undefined || isTighter(was, is))) problems.push(`${where}: ${key} is now ${is}`)
  }
  tighter('minimum', (was, is) => is > was)
  tighter('maximum', (was, is) => is < was)
  tighter('minLength', (was, is) => is > was)
  tighter('maxLength', (was, is) => is < was)
  if (before['type'] !== after['type']) problems.push(`${where}: its type has changed`)
  if (before['default'] !== after['default']) problems.push(`${where}: its default has changed`)
  if ('pattern' in after && before['pattern'] !== after['pattern']) problems.push(`${where}: its pattern has changed`)
  if (Array.isArray(after['enum'])) {
    const values = after['enum'] as unknown[]
    const lost = ((before['enum'] as unknown[] | undefined) ?? ['any value']).filter((value) => !values.includes(value))
    if (lost.length > 0) problems.push(`${where}: ${lost.join(', ')} is no longer taken`)
  }
  return problems
}

function answers(where: string, before: Operation, after: Operation, old: Document, now: Document): string[] {
  const [was, is] = [before.responses?.['200'], after.responses?.['200']]
  if (was && !is) return [`${where}: 200 is gone`]
  return Object.entries(was?.content ?? {}).flatMap(([type, { schema }]) => {
    const current = is?.content?.[type]?.schema
    return current ? lost(`${where} answers`, schema ?? {}, current, old, now) : [`${where}: ${type} is gone`]
  })
}

/** What a caller may rely on in an answer must not go, nor change its type. */
function lost(where: string, before: Json, after: Json, old: Document, now: Document): string[] {
  const [was, is] = [resolved(before, old), resolved(after, now)]
  const problems: string[] = []
  if (JSON.stringify(was['type']) !== JSON.stringify(is['type'])) problems.push(`${where}: its type has changed`)
  const required = (is['required'] as string[] | undefined) ?? []
  for (const name of (was['required'] as string[] | undefined) ?? []) {
    if (!required.includes(name)) problems.push(`${where}.${name}: is no longer always there`)
  }
  const properties = (is['properties'] as Record<string, Json> | undefined) ?? {}
  for (const [name, schema] of Object.entries((was['properties'] as Record<string, Json> | undefined) ?? {})) {
    const current = properties[name]
    problems.push(...(current ? lost(`${where}.${name}`, schema, current, old, now) : [`${where}.${name}: is gone`]))
  }
  if (was['items'] && is['items'])
    problems.push(...lost(`${where}[]`, was['items'] as Json, is['items'] as Json, old, now))
  return problems
}

function resolved(schema: Json, { components }: Document): Json {
  const reference = schema['$ref']
  if (typeof reference !== 'string') return schema
  return components?.schemas?.[reference.split('/').at(-1)!] ?? {}
}
