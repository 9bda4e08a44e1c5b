/**
 * `npm run chaos -- webhooks|cluster|follow`: injects faults, then checks every promise against what happened. Exits with 1 if
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
 *   follow     10,000 readers of 20 domains, who get emails of what is published through real mail servers, while workers are
 *              killed and the relay is away
 *     --short    400, and nothing is timed
 *   --rng N    the same faults again
 */

const [program, ...args] = process.argv.slice(2)
if (program === 'webhooks') await import('./webhooks/run.ts')
else if (program === 'cluster' || program === 'follow') {
  const { runInSandbox } = await import('./sandbox.ts')
  process.exit(await runInSandbox(program, args))
} else {
  console.error('npm run chaos -- webhooks|cluster|follow [--short | --long] [--rng N] [--plant NAME]')
  process.exit(2)
}
