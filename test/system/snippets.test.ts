import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { isForMachines } from '../../deploy/rehearsal/stories.ts'
import { readSamples } from '../../server/features/webhooks/samples.ts'
import { type CodeBlock, codeBlocksIn } from '../../testkit/file-formats.ts'
import { checkHtml, checkJson, checkReceiver, openSnippetSite, pathOf } from '../project/snippets.ts'

/** Every code block of the documentation is run or compared with real output; an unmarked one fails. */

const site = await openSnippetSite()
const { base, key } = site

const documents = [
  ...readdirSync(pathOf('docs')).map((name) => `docs/${name}`),
  ...['README.md', 'sdk/README.md', 'deploy/README.md', 'SECURITY.md', 'CONTRIBUTING.md'],
].filter((name) => name.endsWith('.md'))

/** Calls that are not made here, and the test that makes them. */
const elsewhere: Readonly<Record<string, string>> = {
  'npm ci': 'npm run walks, in a clean clone',
  'npm ci --include=dev': 'the same',
  'npm prune --omit=dev': 'test/system/release.test.ts',
  'npm install ../standfirst/sdk/dist': 'npm run walks, in a project beside the clone',
  [`npx -y @modelcontextprotocol/inspector --cli ${base}/api/mcp --method tools/list`]: 'npm run walks',
  [`claude mcp add --transport http standfirst ${base}/api/mcp`]: 'not ours; the address is asked below',
  [`claude mcp add --transport http standfirst-drafts ${base}/api/v1/mcp --header Authorization: Bearer ${key}`]:
    'not ours; the address is asked below',
  [`code --add-mcp {"name":"standfirst","type":"http","url":"${base}/api/mcp"}`]:
    'not ours; the address is asked below',
  'sudo chown 1000 deploy/backups': 'deploy/rehearse (closeSystem), which has the rights',
  'docker compose -f deploy/compose.yaml up --build --detach': 'deploy/rehearse builds the image and starts all of it',
  'docker compose -f deploy/compose.yaml build': 'deploy/rehearse (buildImage)',
  'docker compose -f deploy/compose.yaml up --detach --no-deps worker server-1 server-2': 'deploy/rehearse (startSite)',
  'useradd --system --home-dir /var/lib/standfirst standfirst': 'changes the machine; the units name this user, below',
  'install -d -m 750 -g standfirst /etc/standfirst': 'changes the machine; the units read this folder, below',
  [`sudo install -d -m 700 -o ${userInfo().username} /var/lib/standfirst/media`]: 'changes the machine',
  'install -m 640 -g standfirst site.env /etc/standfirst/site.env': 'the same; the units read it',
  'install -m 640 -g standfirst site.env /etc/standfirst/owner.env': 'the same',
  'cp /opt/standfirst/deploy/systemd/* /etc/systemd/system/':
    'test/project/deploy.test.ts gives them to systemd-analyze',
  'systemctl daemon-reload': 'needs systemd as the first process',
  'systemctl enable --now standfirst.service standfirst-backup.timer': 'the same; that they are there is asked below',
}

/** The output of blocks marked `run`, in order. */
const expected: Readonly<Record<string, readonly RegExp[]>> = {
  'docs/quickstart.md': [/"items"/, /, by .+: http/, /"match_site"/, /"status":"draft"/],
  'docs/reading.md': [
    ...[/^The case for slow tea http/m, /"slug":"ada-okafor"/, /^Ada Okafor verified \d+\n/],
    ...[/\d{4}-\d\d-\d\dT.+ \d+\n/, /"items".+"slug":"ada-okafor"/],
    /"items":\[.+"language":"de"/,
    /^Waiting for a book to dry \(en\): ja 本が乾くのを待つ \(original\)\n/m,
    ...[/^200 pieces seen\n$/, /^200 pieces seen, the newest of life is .+\n$/],
    ...[/\.00 (EUR|USD|GBP)\n/, /"results"/, /"results":\[.+slow tea/i],
    ...[/^304\n$/, /jsonfeed\.org[\s\S]+<rss/, /^# Ada Okafor\n/, /^400 validation_failed limit /],
    /^400 validation_failed \/limit\n$/,
  ],
  'docs/tools.md': [
    ...[/"match_site"/, /^200 pieces seen\n$/, /"isError":true/, /"transport":"streamable-http"/],
    ...[/"status":"draft"/, /^draft http.+\/desk\/edit\/pieces\/.+\n$/, /^draft 2 It is long enough\.\n$/],
  ],
  'docs/drafting.md': [
    ...[
      /"edit_url"/,
      /\/desk\/edit\/pieces\/.+\n$/,
      /\/desk\/edit\/pieces\/.+\n$/,
      /^draft one draft\n$/,
      /^200 Four minutes is long enough\.\n$/,
    ],
    ...[/"sub":"It is long enough\."/, /^The case for slower tea\n$/, /"pieces":\[/],
  ],
  'docs/importing.md': [
    ...[/Created {2}slow-tea\.md\n/, /1 updated, 0 unchanged, 0 failed/],
    ...[/^0 created, 0 updated, \d+ unchanged, 0 failed/m, /^Not imported from devto/m],
  ],
  'docs/webhooks.md': [/e1f33d24476d320a9c7b6b81a50fe079e3b8ea14d4ac33d9682f22e33486ec31/],
  'docs/embedding.md': [/^<svg/, /"type":"rich"/, /The case for slow tea/],
  'docs/security.md': [/^Verified:\n/, /^true \d{4}-\d\d-\d\dT.+Z person\n$/, /^Contact: /],
}

const scripts = JSON.parse(readFileSync(pathOf('package.json'), 'utf8')).scripts as Record<string, string>

function checkRecorded(call: string): void {
  const script = /^npm run (\S+)$/.exec(call)?.[1]
  if (script) assert.ok(script in scripts, `there is no npm run ${script}`)
  else assert.ok(call in elsewhere, `this is not run here, and nobody says where it is: ${call}`)
}

/** The receivers, which test/webhooks/guide.test.ts runs, each in its language. */
const isReceiver = ({ language, code }: CodeBlock): boolean =>
  readSamples().some((sample) => sample.language === language && sample.code === code)

/** A sample delivery; test/webhooks/guide.test.ts compares it with a real one. */
const isDelivery = (document: string, { language, code }: CodeBlock): boolean =>
  document === 'docs/webhooks.md' && (language === 'http' || (language === 'json' && '_service' in JSON.parse(code)))

/** How a migration is written; test/system/upgrade.test.ts applies it. */
const isMigration = (document: string, { language }: CodeBlock): boolean =>
  document === 'CONTRIBUTING.md' && language === 'sql'

/** Run on a cluster; test/project/deploy-kubernetes.test.ts checks the manifests against its API. */
const isForKubernetes = ({ code }: CodeBlock): boolean => /^kubectl /m.test(code)

/** The pooler's credentials; test/nightly/pooler.test.ts runs its query and uses the result. */
const isUserList = (document: string, { code }: CodeBlock): boolean =>
  document === 'docs/operations.md' && code.includes('/etc/pgbouncer/userlist.txt')

/** The output, if the block is run. */
async function check(document: string, fence: CodeBlock, folder: string): Promise<string> {
  const { language, marker, code } = fence
  if (language === 'text' || isDelivery(document, fence) || isMigration(document, fence)) return ''
  // deploy/rehearse recovery runs it, and test/project/runbooks.test.ts checks that it does.
  if (isForMachines(fence) || isForKubernetes(fence) || isUserList(document, fence)) return ''
  if (marker === 'serve') assert.ok(isReceiver(fence), 'this receiver is none of server/features/webhooks/samples')
  else if (language === 'html') await checkHtml(site, code)
  else if (language === 'json') await checkJson(site, code)
  else if (language === 'ts') await checkReceiver(code, folder)
  else if (language === 'sh' || language === 'js') {
    const { printed, recorded } = await site.run(language, code, folder)
    for (const call of recorded) checkRecorded(call)
    return printed
  } else assert.fail(`nothing says how to check a block of ${language || 'no language'}; a drawing is \`text\``)
  return ''
}

describe('every block of the documentation is what it says', { concurrency: 2 }, () => {
  for (const document of documents) {
    const source = readFileSync(pathOf(document), 'utf8')
    if (!source.includes('```')) continue
    test(document, async (its) => {
      const markdown = await site.documentAt(document)
      const fences = codeBlocksIn(markdown)
      assert.equal(fences.length * 2, source.match(/^ *```/gm)!.length, 'a block is not closed, or oddly marked')
      const folder = await site.folderFor(document)
      if (document === 'README.md') await writeFile(join(folder, 'posts/on-tea.md'), '# On tea\n\nFour minutes.\n')
      const promised = [...(expected[document] ?? [])]
      for (const fence of fences) {
        await its.test(`${document}:${fence.line}, ${fence.language}`, async () => {
          const printed = await check(document, fence, folder)
          if (fence.marker === 'run') assert.match(printed, promised.shift() ?? /$^/)
        })
      }
      assert.deepEqual(promised, [], 'promised, and no longer there')
    })
  }
})

describe('what would be wrong is noticed:', () => {
  const run = async (language: 'sh' | 'js', code: string) =>
    site.run(language, code, await site.folderFor(`wrong-${code.length}`))

  test('a refusal, an error, a command that does not exist', async () => {
    await assert.rejects(run('sh', `curl '${base}/api/public/pieces/recent?limit=500'`))
    await assert.rejects(run('js', 'throw new Error("no")'))
    await assert.rejects(run('sh', 'npx standfirst publish'))
    await assert.rejects(run('sh', 'npx standfirst serve --surfaces cellar'))
  })

  test('a call that nobody makes, a script that is not there, a language that nobody checks', async () => {
    const { recorded } = await run('sh', 'docker compose down\nnpm run fly')
    assert.deepEqual(recorded, ['docker compose down', 'npm run fly'])
    for (const call of recorded) assert.throws(() => checkRecorded(call))
    const [drawing] = codeBlocksIn('```\n┌┐\n```\n')
    await assert.rejects(check('docs/x.md', drawing!, ''), /nothing says how/)
  })
})

describe('calls that are not made here', () => {
  test('to connect a client: the address answers', async () => {
    for (const path of ['/api/mcp', '/api/v1/mcp']) {
      const { status } = await fetch(base + path, { headers: { authorization: `Bearer ${key}` } })
      assert.equal(status, 200, path)
    }
  })

  test('to containers and units: they are there, and the rehearsal is of the same files', () => {
    const rehearsal = ['try', 'image', 'site'].map((name) =>
      readFileSync(pathOf(`deploy/rehearsal/${name}.ts`), 'utf8'),
    )
    const units = ['systemd', 'pgbackrest'].flatMap((folder) => readdirSync(pathOf(`deploy/${folder}`)))
    for (const [call, reason] of Object.entries(elsewhere)) {
      const named = /\((\w+)\)/.exec(reason)?.[1]
      if (named)
        assert.ok(
          rehearsal.some((file) => file.includes(`function ${named}(`)),
          reason,
        )
      for (const [unit] of call.startsWith('systemctl enable') ? call.matchAll(/standfirst\S*/g) : []) {
        const file = unit.replace(/@\d+$/, '@.service')
        assert.ok(units.includes(file), unit)
      }
    }
    const unit = readFileSync(pathOf('deploy/systemd/standfirst.service'), 'utf8')
    assert.match(unit, /^User=standfirst$/m)
    assert.match(unit, /^EnvironmentFile=.*\/etc\/standfirst\//m)
  })
})
