import { oneLine } from '../countedText'
import { escapeHtml } from '../escapeHtml'
import { htmlPage } from '../htmlPage'
import type { Report } from './report'
import { reportDocument, type DocumentBlock, type DocumentItem } from './reportDocument'

export const printReport = (report: Report): string =>
  reportDocument(report)
    .map((block) => markdown(block).join('\n'))
    .join('\n\n')

const inline = (text: string): string => oneLine(text).replace(/[\\`*_[\]<>#|]/g, '\\$&')
const code = (text: string): string => `\`${oneLine(text).replaceAll('`', "'")}\``

function markdown(block: DocumentBlock): string[] {
  switch (block.kind) {
    case 'heading':
      return [`${'#'.repeat(block.level)} ${inline(block.text)}`]
    case 'paragraph':
      return [inline(block.text)]
    case 'list':
      return block.items.flatMap((item) => markdownItem(item, ''))
    case 'table':
      return [
        `| ${block.head.join(' | ')} |`,
        `| --- |${' ---: |'.repeat(block.head.length - 1)}`,
        ...block.rows.map(({ cells: [first = '', ...cells], isWhole }) => {
          const title = inline(first)
          return `| ${[isWhole ? `**${title}**` : title, ...cells].join(' | ')} |`
        }),
      ]
  }
}

const markdownItem = ({ text, code: name, items = [] }: DocumentItem, indent: string): string[] => [
  `${indent}- ${[...(name === undefined ? [] : [code(name)]), inline(text)].filter(Boolean).join(' ')}`,
  ...items.flatMap((item) => markdownItem(item, `${indent}  `)),
]

const style = `
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; --page: #fff; --text: #1c1f26; --line: #d8dbe2; --panel: #f6f7f9; }
@media (prefers-color-scheme: dark) { :root { --page: #181a1f; --text: #e6e8ee; --line: #3a3e48; --panel: #22252c; } }
body { margin: 0 auto; max-width: 860px; padding: 24px; background: var(--page); color: var(--text); overflow-wrap: anywhere; }
h1 { font-size: 20px; } h2 { font-size: 16px; margin-top: 28px; } h3 { font-size: 14px; margin-bottom: 4px; }
ul { margin: 4px 0; padding-left: 20px; }
code { font: 12px ui-monospace, 'DejaVu Sans Mono', monospace; background: var(--panel); padding: 1px 4px; border-radius: 3px; }
table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: 3px 10px; text-align: right; font-weight: 400; }
th:first-child, td:first-child { text-align: left; } thead th, .whole th, .whole td { font-weight: 600; }
`

export function htmlReport(report: Report): string {
  const [first, ...blocks] = reportDocument(report)
  const title = first?.kind === 'heading' ? first.text : 'Report'
  return htmlPage({ title, style, body: blocks.map(html).join('\n') })
}

function html(block: DocumentBlock): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${escapeHtml(block.text)}</h${block.level}>`
    case 'paragraph':
      return `<p>${escapeHtml(block.text)}</p>`
    case 'list':
      return htmlList(block.items)
    case 'table':
      return [
        `<table><thead><tr>${block.head.map((text) => `<th scope="col">${escapeHtml(text)}</th>`).join('')}</tr></thead><tbody>`,
        ...block.rows.map(({ cells: [title = '', ...cells], isWhole }) => {
          const values = cells.map((text) => `<td>${escapeHtml(text)}</td>`).join('')
          return `<tr${isWhole ? ' class="whole"' : ''}><th scope="row">${escapeHtml(title)}</th>${values}</tr>`
        }),
        '</tbody></table>',
      ].join('')
  }
}

const htmlList = (items: readonly DocumentItem[]): string => `<ul>${items.map(htmlItem).join('')}</ul>`

const htmlItem = ({ text, code: name, items = [] }: DocumentItem): string =>
  `<li>${name === undefined ? '' : `<code>${escapeHtml(name)}</code> `}${escapeHtml(text)}${items.length === 0 ? '' : htmlList(items)}</li>`
