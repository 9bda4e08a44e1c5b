import { useState } from 'react'
import type { Profile } from '../../api/account.ts'
import { RadioGroup } from '../../components/choices.tsx'
import { Snippet } from './code.tsx'
import styles from './presence.module.css'

/** The same kinds as in the playground at /developers/embeds. */
const kinds = [
  { value: 'badge', words: 'Badge', shows: 'Your name, and the tick of a verified writer.', width: 240, height: 34 },
  {
    value: 'card',
    words: 'Card',
    shows: 'Name, role, place and the first lines of your bio.',
    width: 480,
    height: 204,
  },
  { value: 'list', words: 'List', shows: 'Your newest pieces.', width: 480, height: 320 },
  { value: 'bio', words: 'Bio', shows: 'The whole bio, with website and other places.', width: 480, height: 300 },
] as const
type Kind = (typeof kinds)[number]

const themes = [
  { value: 'auto', words: 'As the reader has it' },
  { value: 'light', words: 'Light' },
  { value: 'dark', words: 'Dark' },
] as const
type Theme = (typeof themes)[number]['value']

/** The four widgets: preview and embed code. */
export function Embeds({ profile }: { readonly profile: Profile }) {
  const [chosen, setChosen] = useState<Kind['value']>('card')
  const [theme, setTheme] = useState<Theme>('auto')
  const kind = kinds.find(({ value }) => value === chosen)!
  if (!profile.is_public) {
    return <p className={styles.note}>Your badge and the widgets are there with your first public piece.</p>
  }
  const written = snippets(profile, kind, theme)
  return (
    <>
      <div className={styles.choices}>
        <RadioGroup label="Widget" options={kinds} value={chosen} onValue={setChosen} />
        <RadioGroup label="Theme" options={themes} value={theme} onValue={setTheme} />
      </div>
      <figure className={styles.preview} data-theme={theme}>
        <iframe
          key={`${chosen} ${theme}`}
          src={`/embed/${profile.slug}/${chosen}?theme=${theme}`}
          title={`${kind.words}, as other sites show it`}
          width={kind.width}
          height={kind.height}
          sandbox=""
        />
        <figcaption>{kind.shows}</figcaption>
      </figure>
      <Snippet title="For your own page" text={written.script} />
      <Snippet title="For sites that take no scripts of others" text={written.frame} />
      {chosen === 'badge' && <Snippet title="As a picture, for a README or a letter" text={written.picture} />}
      <p className={styles.note}>
        More to choose from, such as colours and how many pieces, is in <a href="/developers/embeds">the playground</a>.
      </p>
    </>
  )
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

function snippets({ slug, name, urls }: Profile, { value, width, height }: Kind, theme: Theme) {
  const base = new URL(urls.profile).origin
  const dark = theme === 'dark' ? '?theme=dark' : ''
  return {
    script: `<div data-service-widget="${value}" data-slug="${slug}" data-theme="${theme}">
  <a href="${urls.profile}">${escaped(name)}</a>
</div>
<script async src="${base}/embed.js"></script>`,
    frame: `<iframe src="${base}/embed/${slug}/${value}?theme=${theme}"
  width="${width}" height="${height}" title="${escaped(name)}" loading="lazy" style="border:0"></iframe>`,
    picture: `<a href="${urls.profile}"><img height="28" alt="${escaped(name)}"
  src="${urls.badge_svg}${dark}"></a>`,
  }
}
