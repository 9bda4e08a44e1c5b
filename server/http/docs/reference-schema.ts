import type { Translator } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import { english } from './layout.ts'
import { nameOfRef, type Schema, typesOf } from './openapi-document.ts'

/** More fields than this are collapsed. */
const maxOpenFields = 6

/** Whether a client sends the object or receives it. */
export type Direction = 'sent' | 'received'

/** Text of the OpenAPI document, with code between backticks. */
export const apiText = (text: string | undefined): Html[] =>
  (text ?? '').split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))

/** `string | null`, `Piece[]`: named objects are links to their fields. */
function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) {
    const name = nameOfRef(schema.$ref)
    return html`<a href="#object-${name}">${name}</a>`
  }
  if (schema.anyOf) return join(schema.anyOf.map(typeOf))
  return join(typesOf(schema).map((type) => (type === 'array' && schema.items ? arrayOf(schema.items) : html`${type}`)))
}

function arrayOf(items: Schema): Html {
  const isUnion = (items.anyOf ?? typesOf(items)).length > 1
  return isUnion ? html`(${typeOf(items)})[]` : html`${typeOf(items)}[]`
}

const join = (types: readonly Html[]): Html => html`${types.map((type, at) => html`${at > 0 && ' | '}${type}`)}`

export interface Field {
  readonly name: string
  readonly schema: Schema
  readonly description?: string | undefined
  /** Whether it is always there. */
  readonly required: boolean
  /** Where in the request it is: query, path, header. */
  readonly place?: string | undefined
}

export const fieldsOf = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    description: schema.description,
    required: required.includes(name),
  }))

/** The fields of an object; long lists are collapsed. */
export function fieldList(t: Translator, fields: readonly Field[], direction: Direction): Html | undefined {
  if (fields.length === 0) return undefined
  const list = html`<dl class="fields"${english(t)}>
${fields.map((field) => fieldLine(t, field, direction))}</dl>
`
  return fields.length <= maxOpenFields
    ? list
    : html`<details><summary>${t('docs.reference.fields', { count: fields.length })}</summary>
${list}</details>
`
}

/** Fields that a client must send, and fields that may be missing in a response, are marked. */
function fieldLine(t: Translator, { name, schema, description, required, place }: Field, direction: Direction): Html {
  const mark =
    direction === 'sent' ? required && t('docs.console.required') : !required && t('docs.reference.may_be_absent')
  const limits = limitsOf(t, schema)
  const inner = schema.properties ? schema : schema.items?.properties ? schema.items : undefined
  return html`<div><dt><code>${name}</code> <span class="type">${typeOf(schema)}${schema.format && `, ${schema.format}`}${place && html`, ${place}`}</span>${mark && html` <em${language(t)}>${mark}</em>`}</dt>
<dd>${description && html`<p>${apiText(description)}</p>`}${limits.length > 0 && html`<p class="limits"${language(t)}>${limits.map((limit, at) => html`${at > 0 && '; '}${limit}`)}</p>`}${inner && fieldList(t, fieldsOf(inner), direction)}</dd></div>
`
}

/** Words of the site's language inside the English list. */
const language = (t: Translator): Html | undefined =>
  english(t) && html` lang="${t.language}"${t.dir === 'rtl' && html` dir="rtl"`}`

function limitsOf(t: Translator, { enum: values, items, default: fallback, ...schema }: Schema): Html[] {
  const { minimum, maximum, maxLength, maxItems } = schema
  const allowed = values ?? items?.enum
  return [
    allowed && html`${allowed.map((value, at) => html`${at > 0 && ' · '}<code dir="ltr">${String(value)}</code>`)}`,
    minimum !== undefined && maximum !== undefined && html`${t('docs.reference.range', { minimum, maximum })}`,
    maxLength !== undefined && html`${t('docs.reference.characters', { count: maxLength })}`,
    maxItems !== undefined && html`${t('docs.reference.items', { count: maxItems })}`,
    fallback !== undefined && html`${t('docs.reference.default', { value: String(fallback) })}`,
  ].filter((limit) => limit !== undefined && limit !== false)
}
