/**
 * `npm run chaos -- webhooks|cluster`: injects faults, then checks every promise against what happened. Exits with 1 if
 * one was broken.
 *   webhooks   20,000 publications, by hand and at a time, while workers are killed, receivers fail and PostgreSQL is restarted
 *     --short    500, and nothing is timed
 *     --long     100,000
 *     --plant    the site with injected bugs alone
 *   cluster    writers, readers and keys, and 20 faults of every part of a site
 *     --short    8 faults, and injected bugs, all at once; nothing is timed
 *     --long     at least 50 faults and 100,000 acknowledged writes
 *     --plant NAME    one bug alone
 *     --fault NAME    these faults, in turn
 *   --rng N    the same faults again
 */

const [program, ...args] = process.argv.slice(2)
if (program === 'webhooks') await import('./webhooks/run.ts')
else if (program === 'cluster') {
  const { runInSandbox } = await import('./cluster/netns.ts')
  process.exit(await runInSandbox(args))
} else {
  console.error('npm run chaos -- webhooks|cluster [--short | --long] [--rng N] [--plant NAME]')
  process.exit(2)
}
