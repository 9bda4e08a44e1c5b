import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { deskConfig, pathInDesk } from './vite.ts'

/** The desk from its sources with hot reload, for `npm run dev`. */
export interface DeskSources {
  handle(request: IncomingMessage, response: ServerResponse): void
  /** Replaces the built scripts by the sources if this is the desk's document; its policy allows them. */
  withSources(html: string): string
  close(): Promise<void>
}

/** Attaches to a running server; browsers open Vite's web socket at its address. */
export async function openDeskSources(server: Server, hostname: string): Promise<DeskSources> {
  const vite = await createServer({
    ...deskConfig,
    appType: 'custom',
    cacheDir: pathInDesk('../.data/vite'),
    optimizeDeps: { entries: ['source/main.tsx'] },
    server: {
      middlewareMode: true,
      ws: { server },
      cors: false,
      allowedHosts: [hostname],
      watch: { ignored: ['**/dist/**'] },
      // tokens.css is in the server's folder.
      fs: { allow: [pathInDesk('..')] },
    },
  })
  return {
    handle: (request, response) =>
      vite.middlewares(request, response, () => {
        response.writeHead(404).end()
      }),
    withSources,
    close: () => vite.close(),
  }
}

const builtScript = /<script type="module" src="\/desk\/assets\/[^"]+" nonce="([^"]+)"><\/script>/
/** All but the font stylesheet, which the server generates. */
const builtLinks = /<link rel="(?:modulepreload|stylesheet)" href="\/desk\/assets\/(?!faces\.)[^>]+>\n/g

function withSources(html: string): string {
  const nonce = builtScript.exec(html)?.[1]
  if (!nonce) return html
  const script = (attributes: string, code = '') =>
    `<script type="module" nonce="${nonce}"${attributes}>${code}</script>`
  return html
    .replace(builtLinks, '')
    .replace(
      builtScript,
      [
        script('', react.preambleCode.replace('__BASE__', deskConfig.base)),
        script(' src="/desk/@vite/client"'),
        script(' src="/desk/source/main.tsx"'),
      ].join('\n'),
    )
}
