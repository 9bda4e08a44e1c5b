export const generatedTypes = new URL('../../server/platform/db/schema.generated.ts', import.meta.url)

export const typesOptions = ['--dialect', 'postgres', '--include-pattern', '(app|pub).*', '--log-level', 'error']
