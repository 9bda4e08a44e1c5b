import { useState } from 'react'
import type { Profile } from '../../api/account.ts'
import { RadioGroup } from '../../components/choices.tsx'
import { rich, t } from '../../messages.ts'
import { Snippet } from './code.tsx'
import styles from './presence.module.css'

/** The same kinds as in the playground at /developers/embeds. */
const kinds = [
  { value: 'badge', width: 240, height: 34 },
  { value: 'card', width: 480, height: 204 },
  { value: 'list', width: 480, height: 320 },
  { value: 'bio', width: 480, height: 300 },
] as const
type Kind = (typeof kinds)[number]

const themes = ['auto', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

/** The four widgets: preview and embed code. */
export function Embeds({ profile }: { readonly profile: Profile }) {
  const [chosen, setChosen] = useState<Kind['value']>('card')
  const [theme, setTheme] = useState<Theme>('auto')
  const kind = kinds.find(({ value }) => value === chosen)!
  if (!profile.is_public) {
    return <p className={styles.note}>{t('desk.integrations.embeds.not_yet')}</p>
  }
  const written = snippets(profile, kind, theme)
  return (
    <>
      <div className={styles.choices}>
        <RadioGroup
          label={t('desk.integrations.embeds.widget')}
          options={kinds.map(({ value }) => ({ value, words: t(`desk.integrations.embeds.kind.${value}`) }))}
          value={chosen}
          onValue={setChosen}
        />
        <RadioGroup
          label={t('desk.integrations.embeds.theme')}
          options={themes.map((value) => ({ value, words: t(`desk.integrations.embeds.theme.${value}`) }))}
          value={theme}
          onValue={setTheme}
        />
      </div>
      <figure className={styles.preview} data-theme={theme}>
        <iframe
          key={`${chosen} ${theme}`}
          src={`/embed/${profile.slug}/${chosen}?theme=${theme}`}
          title={t('desk.integrations.embeds.preview', { kind: t(`desk.integrations.embeds.kind.${chosen}`) })}
          width={kind.width}
          height={kind.height}
          sandbox=""
        />
        <figcaption>{t(`desk.integrations.embeds.shows.${chosen}`)}</figcaption>
      </figure>
      <Snippet title={t('desk.integrations.embeds.script')} text={written.script} />
      <Snippet title={t('desk.integrations.embeds.frame')} text={written.frame} />
      {chosen === 'badge' && <Snippet title={t('desk.integrations.embeds.image')} text={written.picture} />}
      <p className={styles.note}>
        {rich('desk.integrations.embeds.more', { link: (content) => <a href="/developers/embeds">{content}</a> })}
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
