/** The places of a Markdown text into which a writer can put a string. */
export type Carrier = (text: string) => string

const oneLine = (text: string): string => text.replaceAll('\n', ' ')

export const textCarriers: Readonly<Record<string, Carrier>> = {
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

export const addressCarriers: Readonly<Record<string, Carrier>> = {
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
