/** Fenced blocks. A slot is a name alone in braces; every other brace is code. */
export const snippets: { language: string; lines: string }[] = [
  {
    language: 'js',
    lines: `
const {ident} = new Map()
for (const [key, {camel}] of Object.entries({ident})) {
  if ({camel} > {number} && key !== "{ident}") {ident}.push(key)
}`,
  },
  {
    language: 'sql',
    lines: `
select {ident}, count(*) as {ident}
from {ident}
where {ident} like '%\\_{slug}%' escape '\\' and {ident} < {number}
group by {ident};`,
  },
  {
    language: 'py',
    lines: `
def {ident}({ident}, *, {ident}={number}):
    """Give back what is not {ident}."""
    return [x for x in {ident} if x is not None and x <= {number}]`,
  },
  {
    language: 'sh',
    lines: `
$ {slug} --{slug}={number} > C:\\{slug}\\{ident}.log
{number}% done & 0 errors
$ cat {ident}.txt | sort | uniq -c`,
  },
  {
    language: 'json',
    lines: `
{
  "{ident}": {number},
  "{ident}": "{slug}",
  "rate": "{percent}"
}`,
  },
]
