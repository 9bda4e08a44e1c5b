import type { MarkdownIt, StateCore, Token } from 'markdown-it'

/** Items that begin with `[ ]` or `[x]`. The box is shown, not pressed; its label gives it a name in the writer's language. */
export function tasks(markdown: MarkdownIt): void {
  markdown.core.ruler.push('tasks', markTasks)
  markdown.renderer.rules['task_open'] = (tokens, index) =>
    `<label><input type="checkbox" disabled=""${isDone(tokens[index]!) ? ' checked=""' : ''} /> `
  markdown.renderer.rules['task_close'] = () => '</label>'
}

export const isDone = (task: Token): boolean => (task.meta as { done: boolean }).done

function markTasks({ tokens, Token }: StateCore): void {
  const lists: Token[] = []
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!
    if (token.type.endsWith('_list_open')) lists.push(token)
    else if (token.type.endsWith('_list_close')) lists.pop()
    else if (token.type === 'list_item_open' && tokens[index + 1]?.type === 'paragraph_open') {
      if (!markTask(tokens[index + 2]?.children ?? [], Token)) continue
      token.attrSet('class', 'task-list-item')
      lists.at(-1)?.attrSet('class', 'contains-task-list')
    }
  }
}

function markTask(children: Token[], Token: StateCore['Token']): boolean {
  const [first] = children
  const mark = first?.type === 'text' && /^\[([ xX])\]\s+/.exec(first.content)
  if (!first || !mark) return false
  first.content = first.content.slice(mark[0].length)
  const open = new Token('task_open', 'label', 1)
  open.meta = { done: mark[1] !== ' ' }
  children.unshift(open)
  children.push(new Token('task_close', 'label', -1))
  return true
}
