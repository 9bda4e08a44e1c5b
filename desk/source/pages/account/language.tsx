import { languages } from 'virtual:messages'
import { useState } from 'react'
import type { Account } from '../../api/account.ts'
import { callApi } from '../../api/client.ts'
import { Select } from '../../components/choices.tsx'
import { ErrorNotice, useAttempt } from '../../components/form.tsx'
import { Section } from '../../components/page.tsx'
import { t } from '../../messages.ts'

/** The language of the desk and of emails. None chosen: the browser's, and in emails the site's. */
export function Language({ account }: { readonly account: Account }) {
  const attempt = useAttempt()
  const [chosen, setChosen] = useState(account.language ?? '')
  const choose = (language: string) =>
    attempt.handler(async () => {
      setChosen(language)
      try {
        await callApi('PATCH', '/account', { language: language || null })
      } catch (error) {
        setChosen(chosen)
        throw error
      }
      // Direction, fonts and every text of the document depend on it.
      location.reload()
    })()
  return (
    <Section title={t('desk.account.language.title')}>
      <ErrorNotice error={attempt.error} />
      <Select
        label={t('desk.account.language.label')}
        hint={t('desk.account.language.hint')}
        options={[['', t('desk.account.language.none')], ...Object.keys(languages).map(toOption)]}
        value={chosen}
        onValue={choose}
      />
    </Section>
  )
}

/** By its own name, as its speakers look for it: "Deutsch", "Português (Brasil)", "British English". */
function toOption(language: string): [value: string, words: string, lang: string] {
  const tag = language === 'en' ? 'en-GB' : language
  const [first = '', ...rest] = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? language
  return [language, first.toLocaleUpperCase(language) + rest.join(''), language]
}
