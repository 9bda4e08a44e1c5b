import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'
import { fontStack } from '../server/platform/page/style.ts'
import { messagesPlugin } from './messages-plugin.ts'

/** Shared by the build and the development server. */

export const pathInDesk = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The design tokens are those of the public pages; only the server knows the font stack. */
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
  plugins: [react(), pageTokens, messagesPlugin],
} satisfies InlineConfig
