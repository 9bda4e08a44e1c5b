import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request as requestOf, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { cliTranslator } from '#messages/cli.ts'
import { html } from '#platform/html.ts'
import type { DeskSources } from '../../desk/dev.ts'

const t = cliTranslator()

/**
 * The proxy that browsers talk to under `npm run dev`: one origin for the server, which restarts behind it, and for the
 * desk's sources. Requests wait while the server starts. Development scripts are added to pages here, so that the
 * server needs no development mode.
 */

export interface DevProxy {
  readonly port: number
  /** Reloads open pages. */
  reloadPages(): void
  close(): void
}

export interface ProxySettings {
  readonly host: string
  readonly port: number
  /** The server's port, once it listens; rejects with its output if it ended. */
  serverPort(): Promise<number>
  openDesk(server: Server): Promise<DeskSources>
}

/** Pages learn of restarts here. The desk does not: it would lose unsaved text. */
const changesPath = '/@dev/changes'

const isDeskSource = (path: string): boolean => /^\/desk\/(@|source\/)/.test(path)

const wantsPage = ({ headers }: IncomingMessage): boolean => headers.accept?.includes('text/html') ?? false

const hasNoBody = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD'

/** Raw headers without hop-by-hop ones and these. */
function headersWithout(rawHeaders: readonly string[], ...names: string[]): string[] {
  const dropped = ['connection', 'keep-alive', 'expect', ...names]
  return rawHeaders.filter((_, at) => !dropped.includes(rawHeaders[at - (at % 2)]!.toLowerCase()))
}

async function ask(request: IncomingMessage, response: ServerResponse, port: number): Promise<IncomingMessage> {
  // Pages are modified, so they must arrive complete and uncompressed.
  const dropped = wantsPage(request) ? ['accept-encoding', 'if-none-match', 'if-modified-since'] : []
  const asked = requestOf({
    ...{ host: '127.0.0.1', port, method: request.method, path: request.url, agent: false },
    headers: headersWithout(request.rawHeaders, ...dropped),
  })
  response.on('close', () => asked.destroy())
  if (hasNoBody(request)) asked.end()
  else request.pipe(asked)
  const [answered] = (await once(asked, 'response')) as [IncomingMessage]
  return answered
}

export async function openProxy({ host, port, serverPort, openDesk }: ProxySettings): Promise<DevProxy> {
  const listeners = new Set<ServerResponse>()
  let version = String(Date.now())
  let desk: Promise<DeskSources> | undefined

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      if (response.headersSent) response.destroy()
      else fail(request, response, error.message)
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    if (path === changesPath) return listen(response)
    if (isDeskSource(path)) {
      desk ??= openDesk(server)
      return (await desk).handle(request, response)
    }
    await forward(request, response)
  }

  function listen(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    response.write(`data: ${version}\n\n`)
    listeners.add(response)
    response.on('close', () => listeners.delete(response))
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answered = await ask(request, response, await serverPort()).catch(async (error: Error) => {
      // The server may have ended just before the request reached it; the next one is starting by now.
      if (!hasNoBody(request) || response.destroyed) throw error
      return ask(request, response, await serverPort())
    })
    const { statusCode = 502, headers } = answered
    // A client that did not ask for a page gets it unmodified, perhaps compressed.
    const isPage = wantsPage(request) && headers['content-type']?.startsWith('text/html') && request.method !== 'HEAD'
    if (!isPage) {
      response.writeHead(statusCode, headersWithout(answered.rawHeaders))
      return pipeline(answered, response)
    }
    const page = await textOf(answered)
    const isDesk = page.includes('src="/desk/assets/')
    if (isDesk) desk ??= openDesk(server)
    const policy = String(headers['content-security-policy'] ?? '')
    const shown = isDesk ? (await desk!).withSources(page) : /\bsandbox\b/.test(policy) ? page : withReload(page)
    for (const name of ['content-length', 'etag', 'connection', 'keep-alive']) delete headers[name]
    response.writeHead(statusCode, {
      ...headers,
      // A cached page from before a restart would reload endlessly.
      'cache-control': 'no-store',
      ...(policy && !isDesk ? { 'content-security-policy': withReloadAllowed(policy) } : {}),
    })
    response.end(shown)
  }

  const script = (): string =>
    `{let source;const watch=()=>{source?.close();if(document.hidden)return;source=new EventSource('${changesPath}');` +
    `source.onmessage=({data})=>{if(data!=='${version}')location.reload()}};` +
    `document.addEventListener('visibilitychange',watch);watch()}`

  const withReload = (page: string): string => page.replace('</head>', () => `<script>${script()}</script>\n</head>`)

  function withReloadAllowed(policy: string): string {
    const allowed = `'sha256-${hash('sha256', script(), 'base64')}'`
    const scripts = policy.replace(/script-src(?: 'none')?/, `script-src ${allowed}`)
    return /connect-src/.test(scripts) ? scripts : `${scripts}; connect-src 'self'`
  }

  function fail(request: IncomingMessage, response: ServerResponse, printed: string): void {
    const text = `${t('cli.dev.server_down')}\n\n${printed}\n`
    const isPage = wantsPage(request)
    const page = html`<!doctype html>
<html lang="${t.language}">
<head><title>${t('cli.dev.server_down')}</title></head>
<pre>${text}</pre>
</html>
`
    response
      .writeHead(503, {
        'content-type': `text/${isPage ? 'html' : 'plain'}; charset=utf-8`,
        'cache-control': 'no-store',
      })
      .end(isPage ? withReload(String(page)) : text)
  }

  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    reloadPages() {
      version = String(Date.now())
      for (const response of listeners) response.write(`data: ${version}\n\n`)
    },
    close() {
      server.close()
      server.closeAllConnections()
      desk?.then((sources) => sources.close())
    },
  }
}
