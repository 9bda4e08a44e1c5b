import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withVariants } from './picture-variants.ts'
import { picturesAt } from './pictures.ts'
import { renderMarkdown } from './render.ts'

const place = 'https://site.example/media/'
const hash = 'a'.repeat(64)
const drawn = (source: string, width: number) =>
  withVariants(picturesAt(renderMarkdown(source, { [hash]: [width, 600] }).html, place), place)

test('an uploaded picture is offered in every width below its own, and as it is', () => {
  const html = drawn(`![a](/media/${hash})`, 900)
  assert.equal(
    html,
    `<p><picture><source type="image/avif" srcset="${place}${hash}/320.avif 320w, ${place}${hash}/640.avif 640w" sizes="(min-width: 48rem) 36rem, 90vw">` +
      `<img src="${place}${hash}" alt="a" width="900" height="600" loading="lazy" decoding="async" ` +
      `srcset="${place}${hash}/320.webp 320w, ${place}${hash}/640.webp 640w, ${place}${hash} 900w" sizes="(min-width: 48rem) 36rem, 90vw" /></picture></p>\n`,
  )
})

test('the sizes are those of the width that the figure has', () => {
  assert.match(
    drawn(`![a](/media/${hash}#wide "b")`, 900),
    /^<figure class="wide"><picture>.* sizes="\(min-width: 64rem\) 54rem, 90vw" \/><\/picture><figcaption>/,
  )
  assert.match(drawn(`![a](/media/${hash}#full)`, 2000), /1920\.avif 1920w" sizes="100vw"/)
})

test('a small picture, one of another server and an address in words stay as they are', () => {
  for (const source of [
    `![a](/media/${hash})`,
    `![a](https://b.example/media/${hash})`,
    `a ${place}${hash} \`<img src="${place}${hash}" width="900" />\``,
  ]) {
    const html = picturesAt(renderMarkdown(source, { [hash]: [320, 600] }).html, place)
    assert.equal(withVariants(html, place), html)
  }
})
