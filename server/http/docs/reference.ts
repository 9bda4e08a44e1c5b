import { inHtml } from '#http/translate.ts'
import type { Translator } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import { english } from './layout.ts'
import {
  type Call,
  callsOf,
  jsonSchemaOf,
  nameOfRef,
  type OpenApiDocument,
  type Response,
  type Schema,
} from './openapi-document.ts'
import { curlOf, exampleAddress, exampleOf, sdkCallOf } from './reference-examples.ts'
import { apiText, type Field, fieldList, fieldsOf } from './reference-schema.ts'

/** The API reference, drawn from the OpenAPI document. Its texts are in English on every site, the labels are not. */
export function apiReference(t: Translator, document: OpenApiDocument): Html {
  const calls = callsOf(document)
  const groups = document.tags.map((tag) => ({
    ...tag,
    id: tag.name.toLowerCase(),
    calls: calls.filter(({ tags }) => tags[0] === tag.name),
  }))
  const sent = sentObjects(calls)
  return html`<link rel="stylesheet" href="/developers/reference.css">
<div class="reference">
<p${english(t)}>${apiText(document.info.description)}</p>
<p>${inHtml(t, 'docs.reference.files', {
    json: (label) => html`<a href="/api/openapi.json">${label}</a>`,
    yaml: (label) => html`<a href="/api/openapi.yaml">${label}</a>`,
  })}</p>
<nav class="calls" aria-label="${t('docs.reference.all_calls')}">
${groups.map(
  ({ name, id, calls }) => html`<div${english(t)}><p><a href="#${id}">${name}</a></p>
<ul>
${calls.map(({ operationId, method, summary }) => html`<li><a href="#${operationId}"><code>${method}</code> ${summary}</a></li>\n`)}</ul></div>
`,
)}<div><p><a href="#objects">${t('docs.reference.objects')}</a></p></div>
</nav>
${groups.map(
  ({ name, id, description, calls }) => html`<section aria-labelledby="${id}">
<h2 id="${id}"${english(t)}>${name}</h2>
<p${english(t)}>${apiText(description)}</p>
${calls.map((call) => callSection(t, document, call))}</section>
`,
)}<section aria-labelledby="objects">
<h2 id="objects">${t('docs.reference.objects')}</h2>
${Object.entries(document.components.schemas).map(
  ([name, schema]) => html`<section class="object" aria-labelledby="object-${name}">
<h3 id="object-${name}"${english(t)}>${name}</h3>
<p${english(t)}>${apiText(schema.description)}</p>
${fieldList(t, fieldsOf(schema), sent.has(name) ? 'sent' : 'received')}</section>
`,
)}</section>
</div>
`
}

/** The named objects that are request bodies. */
const sentObjects = (calls: readonly Call[]): ReadonlySet<string> =>
  new Set(
    calls.flatMap(({ requestBody }) => {
      const ref = jsonSchemaOf(requestBody)?.$ref
      return ref === undefined ? [] : [nameOfRef(ref)]
    }),
  )

function callSection(t: Translator, document: OpenApiDocument, call: Call): Html {
  const { operationId, summary, description, method, path, security = [], parameters = [], responses } = call
  const label = t('docs.link_to_section', { heading: summary })
  const fields = parameters.map(
    ({ name, in: place, required = false, description, schema }): Field => ({
      name,
      schema,
      description,
      required,
      place,
    }),
  )
  const body = jsonSchemaOf(call.requestBody)
  const sdk = sdkCallOf(document, call)
  const isOpen = method === 'GET' && security.length === 0 && !path.includes('{')
  return html`<section class="call" aria-labelledby="${operationId}">
<h3 id="${operationId}"${english(t)}>${summary} <a class="anchor" href="#${operationId}" aria-label="${label}">#</a></h3>
<p class="call-address" dir="ltr"><code><b>${method}</b> ${path}</code></p>
${description && html`<p${english(t)}>${apiText(description)}</p>\n`}${
  security.length > 0 &&
  html`<p>${inHtml(t, 'docs.reference.needs_key', { drafting: (words) => html`<a href="/developers/drafting">${words}</a>` })}</p>\n`
}${fields.length > 0 && html`<h4>${t('docs.reference.parameters')}</h4>\n${fieldList(t, fields, 'sent')}`}${
  body && html`<h4>${t('docs.reference.body')}</h4>\n${bodyOf(t, body)}`
}<h4>${t('docs.reference.example')}</h4>
${sample('curl', curlOf(document, call))}${sdk && sample('JavaScript', sdk)}${
  isOpen && html`<p><a href="${exampleAddress(document, call)}">${t('docs.reference.open_response')}</a></p>\n`
}<h4>${t('docs.reference.responses')}</h4>
<dl class="responses">
${Object.entries(responses).map(([status, response]) => responseLine(t, document, status, response))}</dl>
</section>
`
}

/** Scrolls sideways by keyboard too, as code in the guides does. */
const sample = (kind: string, text: string): Html =>
  html`<div class="sample"><pre dir="ltr" tabindex="0" role="group" aria-label="${kind}"><code>${text}</code></pre></div>\n`

/** The fields of an unnamed object, or the name of one whose fields are listed once. */
function bodyOf(t: Translator, schema: Schema): Html | undefined {
  if (schema.$ref === undefined) return fieldList(t, fieldsOf(schema.items ?? schema), 'sent')
  const name = nameOfRef(schema.$ref)
  return html`<p><a href="#object-${name}">${name}</a></p>\n`
}

function responseLine(t: Translator, document: OpenApiDocument, status: string, response: Response): Html {
  const schema = jsonSchemaOf(response)
  const ref = schema?.$ref && nameOfRef(schema.$ref)
  const others = Object.keys(response.content ?? {}).filter((type) => type !== 'application/json')
  const isSuccess = status.startsWith('2')
  return html`<div><dt><code>${status}</code></dt><dd>
<p${english(t)}>${apiText(response.description)}${others.map((type) => html` <code>${type}</code>`)}${ref && html` <a href="#object-${ref}">${ref}</a>`}</p>
${
  isSuccess &&
  schema &&
  html`${!ref && fieldList(t, fieldsOf(schema), 'received')}<details><summary>${t('docs.reference.example_response')}</summary>
${sample('JSON', JSON.stringify(exampleOf(document, schema), null, 2))}</details>
`
}</dd></div>
`
}
