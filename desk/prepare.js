/**
 * The last step of `npm ci`: builds the desk where possible. Plain JavaScript, since an install without development
 * packages may run on an older Node. Never fails an install: `standfirst doctor` reports what is missing.
 */

const why = await lacking()
if (why) console.log(`desk/dist was not made: ${why}. Make it with: npm ci --include=dev`)

async function lacking() {
  if (!process.features.typescript) return `Node ${process.versions.node} runs no TypeScript`
  try {
    await import('vite')
  } catch {
    return 'its tools are development packages'
  }
  return import('./build.ts').then(
    () => undefined,
    (error) => error.message,
  )
}
