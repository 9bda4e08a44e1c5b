import { zip } from '../server/platform/zip.ts'
import type { Service } from '../server/sync/imports/read-export.ts'

/** Exports as the services write them, of any number of posts. Every seventh post is a draft. */

const titles = [
  'On slow tea',
  'الشاي البطيء',
  'お茶を待つ',
  'תה איטי',
  'Thé & patience',
  'Чай без спешки',
  '차를 기다리며',
] as const

export const titleOf = (at: number): string => `${titles[at % titles.length]} ${at}`
export const isDraft = (at: number): boolean => at % 7 === 6
export const wordsOf = (at: number): string => `Words of post ${at}, ${titles[at % titles.length]}.`
/** Where the pictures of the generated posts are. */
export const pictureOf = (at: number, host: string): string => `${host}/pictures/${at % 5}.png`

const day = (at: number): string => new Date(Date.UTC(2015, 0, 1 + at, 9, 30)).toISOString()
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const table =
  '<table><thead><tr><th>Leaf</th><th>Minutes</th></tr></thead><tbody><tr><td>Assam</td><td>4</td></tr></tbody></table>'
const player =
  '<iframe src="https://www.youtube.com/embed/abc123DEF45?feature=oembed" width="700" height="393"></iframe>'

export interface Export {
  readonly name: string
  readonly bytes: Buffer<ArrayBuffer>
}

type Maker = (count: number, host: string) => Export | Promise<Export>

const posts = <Made>(count: number, make: (at: number) => Made): Made[] =>
  Array.from({ length: count }, (_, at) => make(at))

const ghost: Maker = (count) => {
  const html = (at: number) =>
    `<p>${escaped(wordsOf(at))}<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup></p>` +
    `<figure class="kg-card kg-image-card kg-card-hascaption"><img src="${pictureOf(at, '__GHOST_URL__')}" class="kg-image" alt="A pot" loading="lazy"><figcaption>Mine</figcaption></figure>` +
    `<figure class="kg-card kg-embed-card">${player}</figure><pre><code class="language-js">wait(${at})</code></pre>${table}` +
    '<hr class="footnotes-sep"><section class="footnotes"><ol class="footnotes-list"><li id="fn1" class="footnote-item"><p>And the moon. <a href="#fnref1" class="footnote-backref">↩︎</a></p></li></ol></section>'
  const data = {
    posts: posts(count, (at) => ({
      id: `64f0a1${at}`,
      uuid: `6a1c8f5e-0000-4000-8000-${String(at).padStart(12, '0')}`,
      title: titleOf(at),
      slug: `post-${at}`,
      html: html(at),
      type: 'post',
      status: isDraft(at) ? 'draft' : 'published',
      visibility: 'public',
      published_at: isDraft(at) ? null : day(at),
      created_at: day(at),
      custom_excerpt: `Excerpt ${at}`,
    })),
    tags: [{ id: 't1', name: 'Tea', visibility: 'public' }],
    posts_tags: posts(count, (at) => ({ post_id: `64f0a1${at}`, tag_id: 't1', sort_order: 0 })),
    settings: [{ key: 'locale', value: 'fr' }],
  }
  const text = JSON.stringify({ db: [{ meta: { version: '5.96.0' }, data }] })
  return { name: 'tea.ghost.2026-11-18.json', bytes: Buffer.from(text) }
}

const mediumPage = (
  at: number,
  host: string,
): string => `<!DOCTYPE html><html><head><title>${escaped(titleOf(at))}</title><style>* { font-family: Georgia }</style></head><body><article class="h-entry">
<header><h1 class="p-name">${escaped(titleOf(at))}</h1></header>
<section data-field="subtitle" class="p-summary">\nA subtitle that is long enough to be cut by the service, number ${at}, and…\n</section>
<section data-field="body" class="e-content"><section name="a" class="section section--body section--first section--last"><div class="section-divider"><hr class="section-divider"></div><div class="section-content"><div class="section-inner sectionLayout--insetColumn"><h3 class="graf graf--h3 graf--leading graf--title">${escaped(titleOf(at))}</h3><h4 class="graf graf--h4 graf-after--h3 graf--subtitle">A subtitle that is long enough to be cut by the service, number ${at}, and here is its end.</h4><p class="graf graf--p">${escaped(wordsOf(at))}</p><figure class="graf graf--figure"><img class="graf-image" src="${pictureOf(at, host)}"><figcaption class="imageCaption">Mine</figcaption></figure><pre data-code-block-mode="2" spellcheck="false" data-code-block-lang="python" class="graf graf--pre graf--preV2"><span class="pre--content">wait(<span class="hljs-number">${at}</span>)<br>pour()</span></pre><figure class="graf graf--figure graf--iframe">${player}</figure><figure class="graf graf--figure graf--iframe"><script src="https://gist.github.com/ada/0123456789abcdef${at}.js"></script></figure></div></div></section></section>
<footer><p>By <a href="https://medium.com/@ada" class="p-author h-card">Ada</a>${isDraft(at) ? '' : ` on <a href="https://medium.com/p/x"><time class="dt-published" datetime="${day(at)}">a day</time></a>`}.</p><p><a href="https://medium.com/@ada/post-${at}" class="p-canonical">Canonical link</a></p></footer></article></body></html>`

const medium: Maker = async (count, host) => ({
  name: 'medium-export.zip',
  bytes: await zipped([
    ...posts(count, (at) => {
      const id = `${at}`.padStart(12, '0')
      return [
        `posts/${isDraft(at) ? 'draft' : day(at).slice(0, 10)}_Post-${at}-${id}.html`,
        mediumPage(at, host),
      ] as const
    }),
    ['profile/profile.html', '<p>Ada</p>'],
  ]),
})

const substack: Maker = async (count, host) => {
  const row = (at: number) =>
    `${14_000 + at}.post-${at},${isDraft(at) ? '' : day(at)},${!isDraft(at)},,,newsletter,everyone,"${titleOf(at)}","Sub, ""${at}""",`
  const html = (at: number) =>
    `<p>${escaped(wordsOf(at))}<a class="footnote-anchor" id="footnote-anchor-1" href="#footnote-1" target="_self">1</a></p>` +
    `<div class="captioned-image-container"><figure><a class="image-link" href="${pictureOf(at, host)}"><img src="${pictureOf(at, host)}" alt="A pot"></a><figcaption>Mine</figcaption></figure></div>` +
    `<div class="subscription-widget-wrap-editor"><form><input type="email"></form></div>${player}${table}<pre><code>wait(${at})</code></pre>` +
    '<div class="footnote"><a id="footnote-1" href="#footnote-anchor-1" class="footnote-number">1</a><div class="footnote-content"><p>And the moon.</p></div></div>'
  return {
    name: 'substack.zip',
    bytes: await zipped([
      [
        'posts.csv',
        `post_id,post_date,is_published,email_sent_at,inbox_sent_at,type,audience,title,subtitle,podcast_url\n${posts(count, row).join('\n')}\n`,
      ],
      ...posts(count, (at) => [`posts/${14_000 + at}.post-${at}.html`, html(at)] as const),
      ['email_list.tea.csv', 'email\n'],
    ]),
  }
}

const devto: Maker = (count, host) => {
  const articles = posts(count, (at) => ({
    id: 900 + at,
    title: titleOf(at),
    slug: `post-${at}`,
    path: `/ada/post-${at}`,
    description: `Description ${at}`,
    cached_tag_list: 'tea, patience',
    language: 'en',
    published: !isDraft(at),
    published_at: isDraft(at) ? null : day(at),
    created_at: day(at),
    body_markdown: `${wordsOf(at)}[^1]\r\n\r\n![A pot](${pictureOf(at, host)})\r\n\r\n{% youtube abc123DEF45 %}\r\n\r\n| Leaf | Minutes |\r\n|---|---|\r\n| Assam | 4 |\r\n\r\n\`\`\`js\r\nwait(${at})\r\n\`\`\`\r\n\r\n[^1]: And the moon.\r\n`,
  }))
  return { name: 'articles.json', bytes: Buffer.from(JSON.stringify(articles)) }
}

const wordpressItem = (at: number, host: string): string => {
  const blocks =
    `<!-- wp:paragraph -->\n<p>${escaped(wordsOf(at))}<sup data-fn="fn-${at}" class="fn"><a href="#fn-${at}" id="fn-${at}-link">1</a></sup></p>\n<!-- /wp:paragraph -->\n` +
    `<!-- wp:image {"id":5} -->\n<figure class="wp-block-image"><img src="${pictureOf(at, host)}" alt="A pot"/><figcaption class="wp-element-caption">Mine</figcaption></figure>\n<!-- /wp:image -->\n` +
    '<!-- wp:embed {"url":"https://youtu.be/abc123DEF45"} -->\n<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\nhttps://youtu.be/abc123DEF45\n</div></figure>\n<!-- /wp:embed -->\n' +
    `<!-- wp:code -->\n<pre class="wp-block-code"><code lang="php" class="language-php">wait(${at})</code></pre>\n<!-- /wp:code -->\n<!-- wp:table -->\n<figure class="wp-block-table">${table}</figure>\n<!-- /wp:table -->\n<!-- wp:footnotes /-->`
  const classic =
    `${escaped(wordsOf(at))}\nOn a new line.\n\n[caption id="x" width="300"]<a href="${pictureOf(at, host)}"><img src="${pictureOf(at, host)}" alt="A pot" /></a> Mine[/caption]\n\n` +
    `https://youtu.be/abc123DEF45\n\n[sourcecode language="php"]wait(${at})[/sourcecode]\n\n[gallery ids="1,2"]\n\n${table}`
  return `<item><title><![CDATA[${titleOf(at)}]]></title><link>https://tea.example/post-${at}/</link><pubDate>Thu, 01 Jan 2015 09:30:00 +0000</pubDate><dc:creator><![CDATA[ada]]></dc:creator><guid isPermaLink="false">https://tea.example/?p=${at}</guid><description></description><content:encoded><![CDATA[${at % 2 === 0 ? blocks : classic}]]></content:encoded><excerpt:encoded><![CDATA[Excerpt ${at}]]></excerpt:encoded><wp:post_id>${at}</wp:post_id><wp:post_date><![CDATA[2015-01-01 10:30:00]]></wp:post_date><wp:post_date_gmt><![CDATA[${isDraft(at) ? '0000-00-00 00:00:00' : day(at).slice(0, 19).replace('T', ' ')}]]></wp:post_date_gmt><wp:post_name><![CDATA[post-${at}]]></wp:post_name><wp:status><![CDATA[${isDraft(at) ? 'draft' : 'publish'}]]></wp:status><wp:post_type><![CDATA[post]]></wp:post_type><category domain="post_tag" nicename="tea"><![CDATA[Tea]]></category><category domain="category" nicename="uncategorized"><![CDATA[Uncategorized]]></category><wp:postmeta><wp:meta_key><![CDATA[footnotes]]></wp:meta_key><wp:meta_value><![CDATA[[{"content":"And the moon.","id":"fn-${at}"}]]]></wp:meta_value></wp:postmeta><wp:comment><wp:comment_content><![CDATA[Nice]]></wp:comment_content></wp:comment></item>`
}

const wordpress: Maker = (count, host) => ({
  name: 'tea.WordPress.2026-11-18.xml',
  bytes: Buffer.from(`<?xml version="1.0" encoding="UTF-8" ?>
<!-- This is a WordPress eXtended RSS file generated by WordPress as an export of your site. -->
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>Tea</title><link>https://tea.example</link><language>en-US</language><wp:wxr_version>1.2</wp:wxr_version>
${posts(count, (at) => wordpressItem(at, host)).join('\n')}
<item><title>Menu</title><wp:post_type><![CDATA[nav_menu_item]]></wp:post_type></item>
</channel></rss>`),
})

const markdown: Maker = async (count) => ({
  name: 'blog.zip',
  bytes: await zipped([
    ...posts(
      count,
      (at) =>
        [
          `blog/content/posts/post-${at}.md`,
          `---\ntitle: "${titleOf(at)}"\ndescription: Sub ${at}\ndate: ${day(at)}\ndraft: ${isDraft(at)}\ntags: [tea]\nlang: en\nlayout: post\n---\n\n${wordsOf(at)}[^1]\n\n![A pot](../images/pot.png "Mine")\n\n<https://youtu.be/abc123DEF45>\n\n| Leaf | Minutes |\n|---|---|\n| Assam | 4 |\n\n\`\`\`js\nwait(${at})\n\`\`\`\n\n[^1]: And the moon.\n`,
        ] as const,
    ),
    ['blog/content/images/pot.png', pot],
    ['blog/README.md', '# Blog'],
  ]),
})

/** A picture of one pixel. */
const pot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

const makers: Readonly<Record<Service, Maker>> = { ghost, medium, substack, devto, wordpress, markdown }

export const exportOf = (service: Service, count: number, host = 'https://pictures.example'): Promise<Export> =>
  Promise.resolve(makers[service](count, host))

export async function zipped(files: readonly (readonly [name: string, content: string | Buffer])[]) {
  const entries = async function* () {
    for (const [name, content] of files) yield { name, modified: new Date(), content: Buffer.from(content as string) }
  }
  return Buffer.concat(await Array.fromAsync(zip(entries())))
}
