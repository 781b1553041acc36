import { escapeHtml } from '@shared/escapeHtml'
import { htmlPage } from '@shared/htmlPage'
import { htmlFigure, type TitledPicture } from '../htmlPictures'
import { reportText } from './reportText'
import { countOutcomes, countsText, type CaseResult, type Outcome, type Problem } from './results'

const labels: Readonly<Record<Outcome, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  error: 'Error',
  skipped: 'Skipped',
  notRun: 'Not run',
}

const style = `
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; --page: #fff; --text: #1c1f26; --line: #d8dbe2;
  --muted: #5b6270; --panel: #f6f7f9; --good: #1a7f37; --bad: #b42318; --notice: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --page: #181a1f; --text: #e6e8ee; --line: #3a3e48; --muted: #a3aab8;
  --panel: #22252c; --good: #57c274; --bad: #ff8a80; --notice: #e6b450; } }
body { margin: 0 auto; max-width: 1040px; padding: 24px; background: var(--page); color: var(--text); }
h1 { font-size: 20px; margin: 0 0 4px; }
h2 { font-size: 15px; margin: 24px 0 8px; overflow-wrap: anywhere; }
p { margin: 0 0 8px; }
.muted { color: var(--muted); }
.bar { display: flex; height: 8px; border-radius: 4px; overflow: hidden; margin: 12px 0; background: var(--line); }
.bar span { display: block; }
ul { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 6px; }
li + li { border-top: 1px solid var(--line); }
.row { display: flex; gap: 12px; padding: 6px 12px; align-items: baseline; }
.row .name { flex: 1; overflow-wrap: anywhere; min-width: 0; }
.state { flex: 0 0 72px; font-weight: 600; }
.passed { color: var(--good); } .failed, .error { color: var(--bad); } .skipped, .notRun { color: var(--notice); }
.bar .passed { background: var(--good); } .bar .failed, .bar .error { background: var(--bad); }
.bar .skipped, .bar .notRun { background: var(--notice); }
.time { color: var(--muted); font-variant-numeric: tabular-nums; }
.detail { padding: 0 12px 12px 96px; }
.where { color: var(--muted); font-size: 12px; overflow-wrap: anywhere; }
.message { overflow-wrap: anywhere; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr)); gap: 12px; margin: 4px 0 12px; }
figure { margin: 0; min-width: 0; }
figcaption { font-size: 12px; color: var(--muted); margin-bottom: 2px; }
pre { margin: 0; padding: 8px; background: var(--panel); border: 1px solid var(--line); border-radius: 4px; overflow: auto;
  max-height: 480px; font: 12px/1.35 ui-monospace, 'DejaVu Sans Mono', monospace; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 280px), 1fr)); gap: 12px; margin: 4px 0 12px; }
img { display: block; width: 100%; max-width: 384px; border: 1px solid var(--line); }
pre:focus-visible { outline: 2px solid currentColor; }
@media (max-width: 640px) { .detail { padding-left: 12px; } }
`

export function checkReport(results: readonly CaseResult[], about: string): string {
  const counts = countOutcomes(results)
  const files = new Map<string, CaseResult[]>()
  for (const result of results) files.set(result.file, [...(files.get(result.file) ?? []), result])
  const title = `Checks: ${countsText(counts)}`
  const lists = [...files].map(
    ([file, cases]) => `<h2>${html(file)}</h2>\n<ul>\n${cases.map(caseHtml).join('\n')}\n</ul>`,
  )
  return htmlPage({
    title: reportText(title),
    style,
    body: [`<p class="muted">${html(about)}</p>`, bar(results), ...lists].join('\n'),
  })
}

function bar(results: readonly CaseResult[]): string {
  const counts = countOutcomes(results)
  const parts = (['passed', 'failed', 'error', 'skipped', 'notRun'] as const)
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `<span class="${outcome}" style="flex:${counts[outcome]}"></span>`)
  return `<div class="bar" role="img" aria-label="${html(countsText(counts))}">${parts.join('')}</div>`
}

function caseHtml({ name, machine, outcome, reason, seconds, problems, pictures, screen }: CaseResult): string {
  const time = outcome === 'skipped' || outcome === 'notRun' ? '' : `${seconds.toFixed(1)} s`
  const detail = [
    ...(reason === '' ? [] : [`<p class="muted">${html(reason)}</p>`]),
    ...problems.map(problemHtml),
    ...(pictures.length === 0 ? [] : [`<div class="pictures">${pictures.map(pictureHtml).join('')}</div>`]),
    ...(screen === null ? [] : [sideHtml('The screen at the end', screenText(screen))]),
  ]
  return [
    `<li><div class="row"><span class="state ${outcome}">${labels[outcome]}</span><span class="name">${html(name)}</span>`,
    `<span class="muted">${html(machine)}</span><span class="time">${time}</span></div>`,
    ...(detail.length === 0 ? [] : [`<div class="detail">${detail.join('\n')}</div>`]),
    '</li>',
  ].join('\n')
}

function problemHtml({ where, message, expected, found }: Problem): string {
  const sides = [
    ...(expected === '' ? [] : [sideHtml('Expected', expected)]),
    ...(found === '' ? [] : [sideHtml('Found', found)]),
  ]
  return [
    `<p><span class="message">${html(message)}</span><br><span class="where">${html(where)}</span></p>`,
    ...(sides.length === 0 ? [] : [`<div class="sides">${sides.join('')}</div>`]),
  ].join('\n')
}

const sideHtml = (title: string, text: string): string =>
  `<figure><figcaption>${html(title)}</figcaption><pre tabindex="0">${html(text)}</pre></figure>`

const pictureHtml = ({ title, png }: TitledPicture): string => htmlFigure({ title: reportText(title), png })

const screenText = (rows: readonly string[]): string =>
  rows
    .map((row) => row.trimEnd())
    .join('\n')
    .trimEnd() || '(an empty screen)'

const html = (text: string): string => escapeHtml(reportText(text))
