import { useEffect, useRef, useState } from 'react'
import type { WebhookSaved } from '../../../api/webhook.ts'
import { Button } from '../../../components/button.tsx'
import { Copy } from '../../../components/copy.tsx'
import { Options } from '../../../components/options.tsx'
import presence from '../presence.module.css'
import { Verbatim } from './code.tsx'
import { untilOf } from './dates.ts'
import { type Language, samples } from './samples.ts'
import styles from './webhook.module.css'

interface SecretShownProps {
  readonly saved: WebhookSaved
  readonly secret: string
  readonly onKept: () => void
}

/** The secret, this once. It takes the focus: it is what the person came for, and it will be gone. */
export function SecretShown({ saved, secret, onKept }: SecretShownProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { former_secret_until: former } = saved.webhook
  return (
    <div className={presence.secret}>
      <h3 ref={heading} tabIndex={-1}>
        Your webhook’s secret, shown only now
      </h3>
      <p>
        {saved.advice} If it is lost, rotate it.
        {former && ` The former one signs too, until ${untilOf(former)}.`}
      </p>
      <p className={presence.key}>
        <code>{secret}</code>
      </p>
      <Copy text={secret} label="Copy the secret" kind="main" />
      <Verifying />
      <Button onClick={onKept}>I have kept it</Button>
    </div>
  )
}

/** How a server looks at the signature, in the language it is written in. */
function Verifying() {
  const [language, setLanguage] = useState<Language>('javascript')
  const { words, text } = samples.find(({ value }) => value === language)!
  return (
    <>
      <Options label="A receiver to begin with, in" options={samples} value={language} onChosen={setLanguage} />
      <div className={styles.sample}>
        <p>It reads the secret from WEBHOOK_SECRET.</p>
        <Copy text={text} label={`Copy the ${words}`} />
        <Verbatim name={`A receiver in ${words}`} text={text} isCode />
      </div>
    </>
  )
}
