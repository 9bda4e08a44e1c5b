import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'
import { fontStack } from '../server/platform/page/fonts.ts'

/** What the build and the development server of the desk have in common. */

export const pathInDesk = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The tokens are the public pages' own; only the server knows the stack of faces. */
const pageTokens = {
  name: 'page-tokens',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    id.endsWith('/style/tokens.css') ? code.replace('FONT_STACK', fontStack) : undefined,
}

export const deskConfig = {
  configFile: false,
  root: pathInDesk('.'),
  base: '/desk/',
  publicDir: false,
  logLevel: 'warn',
  plugins: [react(), pageTokens],
} satisfies InlineConfig
