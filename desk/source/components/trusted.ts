interface Policy {
  createHTML(html: string): string
  createScriptURL(url: string): string
}

interface Factory {
  createPolicy(name: string, rules: Policy): Policy
}

const rules: Policy = { createHTML: (html) => html, createScriptURL: () => '/desk/service-worker.js' }
let policy: Policy | undefined

/** The only Trusted Types policy, the one the document's CSP allows by name. */
function deskPolicy(): Policy {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory }
  policy ??= trustedTypes?.createPolicy('desk', rules) ?? rules
  return policy
}

/** Only for documents in which no script runs: parsed HTML and sandboxed frames. */
export const trustedHtml = (html: string): string => deskPolicy().createHTML(html)

/** The only script that is loaded by an address from code. */
export const serviceWorkerUrl = (): string => deskPolicy().createScriptURL('')
