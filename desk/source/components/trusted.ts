interface Policy {
  createHTML(html: string): string
}

let policy: Policy | undefined

/**
 * The one way from text to markup, where the browser asks for a policy: the document allows a single one, by name. For
 * documents apart, in which nothing runs: what is parsed to be read, and sandboxed frames.
 */
export function trusted(html: string): string {
  const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }).trustedTypes
  policy ??= factory?.createPolicy('desk', { createHTML: (given) => given }) ?? { createHTML: (given) => given }
  return policy.createHTML(html)
}
