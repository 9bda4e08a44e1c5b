interface Policy {
  createHTML(html: string): string
}

let policy: Policy | undefined

/**
 * The only Trusted Types policy, the one the document's CSP allows by name. Only for documents in which no script runs:
 * parsed HTML and sandboxed frames.
 */
export function trustedHtml(html: string): string {
  const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }).trustedTypes
  policy ??= factory?.createPolicy('desk', { createHTML: (given) => given }) ?? { createHTML: (given) => given }
  return policy.createHTML(html)
}
