import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { readDockerfile, variablesOf } from '../../deploy/rehearsal/image.ts'
import { readConfig, settings } from '../../server/config/config.ts'

/**
 * The manifests of deploy/kubernetes match the API, by types generated from its published schema, and are consistent with
 * each other and the image. No cluster is needed.
 */

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'deploy/kubernetes')
const read = (name: string): string => readFileSync(join(root, name), 'utf8')

/** Parsed YAML; the first test checks its types with the compiler. */
type Json = ReturnType<typeof JSON.parse>

/** As kubectl reads it: YAML 1.1, where 0440 is an octal number. */
const documentsOf = (text: string): Json[] => parseAllDocuments(text, { version: '1.1' }).map((one) => one.toJS())

const files = readdirSync(folder).filter((name) => name !== 'kustomization.yaml')
const objects = files.flatMap((name) => documentsOf(read(`deploy/kubernetes/${name}`)))
const ofKind = (kind: string): Json[] => objects.filter((one) => one['kind'] === kind)
const named = (kind: string, name: string): Json => {
  const found = ofKind(kind).find(({ metadata }) => metadata.name === name)
  assert.ok(found, `no ${kind} ${name}`)
  return found
}

/** The module and type of each kind used here. */
const types: Readonly<Record<string, string>> = {
  'v1 ConfigMap': 'core/v1',
  'v1 Pod': 'core/v1',
  'v1 Secret': 'core/v1',
  'v1 Service': 'core/v1',
  'v1 ServiceAccount': 'core/v1',
  'apps/v1 Deployment': 'apps/v1',
  'batch/v1 Job': 'batch/v1',
  'policy/v1 PodDisruptionBudget': 'policy/v1',
  'autoscaling/v2 HorizontalPodAutoscaler': 'autoscaling/v2',
  'networking.k8s.io/v1 Ingress': 'networking/v1',
  'networking.k8s.io/v1 NetworkPolicy': 'networking/v1',
}

// Inside the repository, so that the types are found.
const workshop = join(root, '.data', `kubernetes-${process.pid}`)
after(() => rmSync(workshop, { recursive: true, force: true }))

/** The compiler's errors for these objects: unknown fields, missing ones and wrong types. */
function faultsOf(given: readonly Json[]): string {
  mkdirSync(workshop, { recursive: true })
  const file = join(workshop, 'manifests.ts')
  const lines = given.map((one, at) => {
    const from = types[`${one['apiVersion']} ${one['kind']}`]
    assert.ok(from, `${one['apiVersion']} ${one['kind']} is not among the kinds that are checked`)
    const type = `import('kubernetes-types/${from}').${one['kind']}`
    return `export const manifest${at}: ${type} = ${JSON.stringify(one, null, 2)}`
  })
  writeFileSync(file, lines.join('\n'))
  const flags = '--noEmit --strict --skipLibCheck --ignoreConfig --moduleResolution bundler --module esnext'
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), ...flags.split(' '), file],
    {
      encoding: 'utf8',
    },
  )
  return status === 0 ? '' : stdout
}

test('every manifest has the fields that the published schema knows, of their types, and no other', () => {
  assert.ok(objects.length >= 18)
  assert.equal(faultsOf(objects), '')
})

test('a field that is misspelt, missing or of another type would be noticed', () => {
  const [deployment] = ofKind('Deployment')
  const changed = (change: (pod: Json) => void): Json => {
    const copy = structuredClone(deployment)
    change(copy.spec.template.spec)
    return copy
  }
  const container = (change: (it: Json) => void) => changed(({ containers }) => change(containers[0]))
  assert.match(
    faultsOf([
      changed((pod) => {
        pod.terminationGracePeriod = 40
      }),
    ]),
    /terminationGracePeriod/,
  )
  assert.match(
    faultsOf([
      container((it) => {
        it.livenessProbe.httpGet.paths = '/'
      }),
    ]),
    /paths/,
  )
  assert.match(
    faultsOf([
      container((it) => {
        delete it.name
      }),
    ]),
    /name/,
  )
  assert.match(
    faultsOf([
      container((it) => {
        it.ports[0].containerPort = '8080'
      }),
    ]),
    /number/,
  )
})

interface Running {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly pod: Json
  readonly container: Json
}
const running: Running[] = ['Deployment', 'Job', 'Pod'].flatMap((kind) =>
  ofKind(kind).map((one) => {
    const template = kind === 'Pod' ? one : one['spec'].template
    const [container, ...others] = template.spec.containers
    assert.deepEqual(others, [])
    return { name: one['metadata'].name, labels: template.metadata.labels, pod: template.spec, container }
  }),
)

const matches = (selector: Json, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(selector['matchLabels'] ?? {}).every(([name, value]) => labels[name] === value) &&
  (selector['matchExpressions'] ?? []).every(({ key, values }: Json) => values.includes(labels[key]))

test('no pod has rights, can get any or can write to its system, and each has limits', () => {
  assert.equal(running.length, 5)
  for (const { name, pod, container } of running) {
    assert.equal(pod['securityContext'].runAsNonRoot, true, name)
    assert.equal(pod['securityContext'].seccompProfile.type, 'RuntimeDefault', name)
    assert.equal(pod['automountServiceAccountToken'], false, name)
    assert.deepEqual(
      container['securityContext'],
      { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      name,
    )
    assert.ok(container['resources'].requests.cpu && container['resources'].requests.memory, name)
    assert.match(container['resources'].limits.memory, /^[12]Gi$/, name)
    named('ServiceAccount', pod['serviceAccountName'])
  }
})

const image = variablesOf(readDockerfile(read('deploy/Dockerfile')).at(-1)!)
const secretOf = ({ pod }: Running): Json => {
  const volume = pod['volumes'].find(({ secret }: Json) => secret)
  // Readable only by the group of the process.
  assert.equal(volume.secret.defaultMode, 0o440)
  return named('Secret', volume.secret.secretName)['stringData']
}

test('each starts with what it is given: every name is a setting, and every secret comes by a file that is mounted', () => {
  const random = 'b1JqZ0pXc2t5d0RrUmFhVnhTbU5nTGZp'
  for (const one of running) {
    const { name, container } = one
    const secrets = secretOf(one)
    const config = named('ConfigMap', container['envFrom'][0].configMapRef.name)['data']
    const mount = container['volumeMounts'].find((mounted: Json) => mounted['name'] === 'secrets')
    const values: Record<string, string> = {}
    for (const { name: variable, value } of container['env']) {
      const setting = variable.replace(/_FILE$/, '')
      assert.ok(setting in settings && (settings as Json)[setting].isSecret, `${name}: ${variable}`)
      assert.equal(value, `${mount.mountPath}/${setting}`, name)
      assert.ok(secrets[setting], `${name}: ${setting} is not in its Secret`)
      values[setting] = /SECRET|KEY/.test(setting) ? random : secrets[setting]
    }
    assert.deepEqual(Object.keys(values).sort(), Object.keys(secrets).sort(), `${name} mounts what it does not read`)
    for (const variable of Object.keys(config)) assert.ok(variable in settings, variable)
    const isServer = (container['args'] ?? [])[0] === 'serve'
    const surfaces = isServer ? container['args'][2].split(',') : []
    const read = readConfig({ ...image, ...config, ...values }, { surfaces, jobs: container['args']?.[0] === 'worker' })
    const isOwner = /migrate|operator/.test(name)
    assert.equal(read.DATABASE_URL !== undefined, isOwner, name)
    assert.equal(read.DESK_DATABASE_URL !== undefined, name === 'standfirst-desk', name)
    assert.equal(read.WORKER_DATABASE_URL !== undefined, name === 'standfirst-worker', name)
    assert.equal(read.NODE_ENV, 'production')
  }
})

test('the example of secrets has none: a configuration made of it does not start', () => {
  const { stringData } = named('Secret', 'standfirst-owner')
  assert.throws(
    () => readConfig({ ...named('ConfigMap', 'standfirst')['data'], ...stringData }),
    /AUTH_SECRET must have at least 32/,
  )
  assert.ok(read('.gitignore').split('\n').includes('deploy/kubernetes/secrets.yaml'))
})

test('probes ask what is there, at the port for it, and readiness alone asks for the database', () => {
  const health = readdirSync(join(root, 'server/http/health'))
    .map((name) => read(`server/http/health/${name}`))
    .join('')
  const { ADMIN_PORT, ADMIN_HOST } = named('ConfigMap', 'standfirst')['data']
  assert.equal(ADMIN_HOST, '0.0.0.0')
  for (const { name, container } of running.filter(({ container }) => container['ports'])) {
    const paths = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((kind) => {
      const { path, port } = container[kind].httpGet
      assert.ok(health.includes(`'${path}'`), `${name}: ${path}`)
      assert.equal(port, 'admin')
      return path
    })
    assert.deepEqual(paths, ['/healthz', '/healthz', '/readyz'], name)
    const ports = Object.fromEntries(container['ports'].map((one: Json) => [one['name'], one['containerPort']]))
    assert.equal(ports.admin, Number(ADMIN_PORT))
    if (name !== 'standfirst-worker') assert.equal(ports.http, Number(image['PORT']))
  }
})

test('a pod has time to end: the delay, and the 20 s after it', () => {
  const { SHUTDOWN_DELAY } = named('ConfigMap', 'standfirst')['data']
  for (const { spec, metadata } of ofKind('Deployment'))
    assert.ok(spec.template.spec.terminationGracePeriodSeconds >= Number(SHUTDOWN_DELAY) + 20, metadata.name)
})

test('selectors meet the pods they mean, and no others', () => {
  for (const { metadata, spec } of [...ofKind('Deployment'), ...ofKind('PodDisruptionBudget')]) {
    const met = running.filter(({ labels }) => matches(spec.selector, labels))
    assert.deepEqual(
      met.map(({ name }) => name),
      [metadata.name],
    )
  }
  for (const { metadata, spec } of ofKind('Service')) {
    const met = running.filter(({ labels }) => matches({ matchLabels: spec.selector }, labels))
    assert.deepEqual(
      met.map(({ name }) => name),
      [metadata.name],
    )
    const ports = met[0]!.container['ports'].map((one: Json) => one['name'])
    for (const { targetPort } of spec.ports) assert.ok(ports.includes(targetPort))
    assert.ok(!spec.ports.some(({ targetPort }: Json) => targetPort === 'admin'), 'readers shall not reach it')
  }
  for (const { name, pod, labels } of running)
    for (const { labelSelector } of pod['topologySpreadConstraints'] ?? [])
      assert.ok(matches(labelSelector, labels), name)
  for (const { spec } of ofKind('HorizontalPodAutoscaler')) {
    const target = named(spec.scaleTargetRef.kind, spec.scaleTargetRef.name)
    assert.equal(target['spec'].replicas, undefined, 'kubectl apply would undo what the autoscaler did')
    assert.ok(spec.minReplicas > 1)
  }
  const policies = ofKind('NetworkPolicy').map(({ spec }) => spec)
  for (const { name, labels } of running)
    assert.ok(
      policies.some(({ podSelector }) => matches(podSelector, labels)),
      `${name} is open to the cluster`,
    )
})

test('the Ingress brings every address of writers to those who serve it', () => {
  const [ingress] = ofKind('Ingress')
  const paths = ingress!['spec'].rules[0].http.paths.map(({ path, backend }: Json) => {
    assert.ok(
      named('Service', backend.service.name)['spec'].ports.some(
        (one: Json) => one['name'] === backend.service.port.name,
      ),
    )
    return [path, backend.service.name]
  })
  assert.deepEqual(paths.at(-1), ['/', 'standfirst-public'])
  const writers = paths.filter(([, service]: string[]) => service === 'standfirst-desk').map(([path]: string[]) => path)
  const source = read('server/main/compose.ts')
  const surfaces = source.slice(source.indexOf('async write('), source.indexOf('async function openPublic'))
  const prefixes = [...surfaces.matchAll(/prefix: '([^']+)'/g)].map(([, prefix]) => prefix!)
  assert.ok(prefixes.length >= 8)
  for (const prefix of prefixes)
    assert.ok(
      writers.some((path: string) => prefix === path || prefix.startsWith(`${path}/`)),
      prefix,
    )
  const others = [...source.slice(source.indexOf('async function openPublic')).matchAll(/prefix: '([^']+)'/g)]
  for (const [, prefix = ''] of others) assert.ok(!writers.some((path: string) => prefix.startsWith(path)), prefix)
})

test('all that is applied together is listed, and the image is of this version', () => {
  const { resources } = documentsOf(read('deploy/kubernetes/kustomization.yaml'))[0]!
  for (const name of resources) assert.ok(existsSync(join(folder, name)), name)
  const apart = ['migrate.yaml', 'operator.yaml', 'secrets.example.yaml']
  assert.deepEqual([...resources, ...apart].sort(), [...files].sort())
  const { version } = JSON.parse(read('server/package.json'))
  for (const { name, container } of running) assert.equal(container['image'], `standfirst:${version}`, name)
})
