/** Made of the catalogues by desk/vite.ts. */
declare module 'virtual:messages' {
  type Messages = Readonly<Record<string, import('../../server/messages/format.ts').Compiled>>
  export interface LanguageModule {
    readonly locale: string
    readonly common: Messages
    readonly groups: Readonly<Record<string, () => Promise<{ readonly messages: Messages }>>>
  }
  export const languages: Readonly<Record<string, () => Promise<LanguageModule>>>
}
