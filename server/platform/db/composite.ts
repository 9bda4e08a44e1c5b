/** A value of a composite type, as PostgreSQL reads it: `("a","b",)`. */
export function composite(fields: readonly (string | readonly string[] | null)[]): string {
  return `(${fields.map((field) => (field === null ? '' : quoted(typeof field === 'string' ? field : array(field)))).join(',')})`
}

function array(items: readonly string[]): string {
  return `{${items.map(quoted).join(',')}}`
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
