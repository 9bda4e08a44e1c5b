/**
 * `npm run chaos -- webhooks|site`: what can go wrong goes wrong, and then every promise is held against what happened.
 * Ends with 1 where one was broken.
 *   webhooks   20,000 publications while workers are killed, receivers fail and PostgreSQL is restarted
 *     --short    500, and no time is judged
 *     --long     100,000
 *     --plant enqueue-outside    that site alone
 *   site      writers, readers and keys, and 20 faults of everything a site stands on
 *     --short    8 faults, and planted bugs, all at once; no time is judged
 *     --long     at least 50 faults and 100,000 acknowledged writes
 *     --plant NAME    one bug alone
 *     --fault NAME    these faults, in turn
 *   --rng N    faults drawn alike
 */

const [program, ...args] = process.argv.slice(2)
if (program === 'webhooks') await import('./webhooks/run.ts')
else if (program === 'cluster') {
  const { runEnclosed } = await import('./cluster/sandbox.ts')
  process.exit(await runEnclosed(args))
} else {
  console.error('npm run chaos -- webhooks|site [--short | --long] [--rng N] [--plant NAME]')
  process.exit(2)
}
