import { createHash } from 'node:crypto'
import { tools } from '../mcp/tools'
import type { ArgumentSchema } from '../namedArguments'
import { allOperations, dataKeys, pathOf, requestSchema, sentenceOf } from './openApi'

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
code, pre { font: 0.9em ui-monospace, monospace; }
pre { padding: 0.75rem; white-space: pre-wrap; border: 1px solid #8886; border-radius: 6px; }
nav a { margin-right: 0.75rem; }
section { border-top: 1px solid #8886; margin-top: 2rem; }
h3 { margin: 1.5rem 0 0.25rem; font-size: 1rem; }
p { margin: 0.25rem 0; }
table { border-collapse: collapse; margin: 0.25rem 0; }
td { padding: 0.1rem 1rem 0.1rem 0; vertical-align: top; }
`

export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    'sandbox',
  ].join('; '),
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const inert = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? '')

export function apiPage(version: string, url: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Bridgedeck: the API for scripts</title>
<style>${style}</style>
<h1>Bridgedeck ${inert(version)}: the API for scripts</h1>
<p>Each operation is a POST with its arguments as JSON. It answers with <code>text</code>, <code>data</code> and, of a long text, <code>more</code>;
an error is <code>{ code, message, hint }</code>.</p>
<pre>curl ${inert(url)}/api/memory/read -H "Authorization: Bearer $BRIDGEDECK_TOKEN" -d '{"address":"$d020"}'</pre>
<p>The same for programs: <code>/api/openapi.json</code>. Events and frames: a WebSocket at <code>/api/events</code>. Agents: <code>/mcp</code>.</p>
<nav>${tools.map(({ name }) => `<a href="#${inert(name)}">${inert(name)}</a>`).join('\n')}</nav>
${tools.map(({ name, title, about }) => `<section id="${inert(name)}"><h2>${inert(title)}</h2><p>${inert(about)}</p>\n${operationsOf(name)}</section>`).join('\n')}
</html>
`
}

const operationsOf = (tool: string): string =>
  allOperations()
    .filter((each) => each.tool.name === tool)
    .map((each) => {
      const { properties, required } = requestSchema(each.operation)
      const given = Object.entries(properties).filter(([name]) => name !== 'more')
      return `<h3><code>POST ${inert(pathOf(each))}</code></h3>
<p>${inert(each.operation.command.summary)} ${inert(sentenceOf(each).replaceAll('`', ''))}</p>
${table(given.map(([name, schema]) => [required.includes(name) ? name : `${name}?`, typeText(schema)]))}
${each.operation.command.data ? `<p>Data:</p>\n${table(dataKeys(each.operation))}` : ''}`
    })
    .join('\n')

const table = (rows: readonly (readonly [string, string])[]): string =>
  rows.length === 0
    ? ''
    : `<table>${rows.map(([name, words]) => `<tr><td><code>${inert(name)}</code></td><td>${inert(words)}</td></tr>`).join('')}</table>`

function typeText(schema: ArgumentSchema): string {
  if (schema.type === 'array') return `a list of ${typeText(schema.items)}`
  if (schema.enum) return schema.enum.join(', ')
  const { type, minimum, maximum } = schema
  return minimum === undefined ? type : `${type} from ${minimum} to ${maximum}`
}
