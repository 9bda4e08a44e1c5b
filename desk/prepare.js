/**
 * What `npm ci` does last: the desk, where that is possible. Plain JavaScript, since an install without development
 * packages may run on the machine's own, older Node; and it fails no install, since `standfirst doctor` says what is
 * lacking.
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
