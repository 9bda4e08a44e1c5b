/**
 * The desk's service worker: without a network, its document and its files come from the device, as they were when this
 * version was installed. Answers of the API are not its business (api/kept-answers.ts), nor are public pages.
 */

/** The part of ServiceWorkerGlobalScope that is used: TypeScript's types of workers and of pages exclude each other. */
interface WorkerScope {
  readonly clients: { claim(): Promise<void> }
  addEventListener(type: 'install' | 'activate', listener: (event: LifecycleEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void
}
interface LifecycleEvent {
  waitUntil(work: Promise<unknown>): void
}
interface RequestEvent {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

/** Made by the server and sent before this script: what the desk of this version consists of. */
declare const installed: { readonly version: string; readonly files: readonly string[] }

const scope = self as unknown as WorkerScope
const prefix = 'desk-files-'
const cacheName = prefix + installed.version
/** All pages of the desk have the same one. */
const document = '/desk'

scope.addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll([document, ...installed.files])))
})

// Only when no page of the version before is open any more, so none misses a file.
scope.addEventListener('activate', (event) => {
  event.waitUntil(
    caches.keys().then(async (names) => {
      const former = names.filter((name) => name.startsWith(prefix) && name !== cacheName)
      await Promise.all(former.map((name) => caches.delete(name)))
      await scope.clients.claim()
    }),
  )
})

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (installed.files.includes(pathname)) event.respondWith(fromDevice(pathname).catch(() => fetch(request)))
  else if (request.destination === 'document' && isDeskPage(pathname))
    event.respondWith(fetch(request).catch(() => fromDevice(document)))
})

/** Private links are pages of the server. */
const isDeskPage = (path: string): boolean =>
  path === document || (path.startsWith('/desk/') && !/^\/desk\/(api|preview)\//.test(path))

async function fromDevice(path: string): Promise<Response> {
  const found = await caches.match(path, { cacheName })
  if (!found) throw new Error(`${path} is not on the device`)
  return found
}
