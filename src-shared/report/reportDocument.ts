/** Its texts are plain and foreign: the printers mark them up and escape them. */
import { amountText, kindsText, sumCostText, sumTokensText, type AgentUse, type PhaseUse } from '../agentUse'
import { counted } from '../countedText'
import { localTime } from '../localTime'
import { attentionOf, type Attention } from './attention'
import { costText, workText } from './amounts'
import type { Changes, Report, RunReport } from './report'

export interface DocumentItem {
  readonly text: string
  readonly code?: string
  readonly items?: readonly DocumentItem[]
}

interface DocumentRow {
  readonly cells: readonly string[]
  readonly isWhole: boolean
}

export type DocumentBlock =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly DocumentItem[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly DocumentRow[] }

const heading = (level: 1 | 2 | 3, text: string): DocumentBlock => ({ kind: 'heading', level, text })
const paragraph = (text: string): DocumentBlock => ({ kind: 'paragraph', text })

export function reportDocument(report: Report): DocumentBlock[] {
  const { since, until, projects, otherTurns } = report
  const all = projects.flatMap(({ runs }) => runs)
  const attention = attentionOf(report)
  return [
    heading(1, `Report from ${localTime(since)} to ${localTime(until)}`),
    paragraph(totalText(all, attention)),
    ...(otherTurns === 0 ? [] : [paragraph(`${counted(otherTurns, 'agent run')} of no listed run.`)]),
    ...(attention.length === 0
      ? []
      : [heading(2, 'Needs you'), { kind: 'list' as const, items: attention.map(attentionItem) }]),
    ...projects.flatMap(({ name, place, runs }) =>
      runs.length === 0
        ? []
        : [heading(2, name), ...(place === '' ? [] : [paragraph(place)]), ...runs.flatMap(runBlocks)],
    ),
  ]
}

export function totalText(runs: readonly RunReport[], attention: readonly Attention[]): string {
  const add = (name: 'turns' | 'cost' | 'estimated' | 'unpriced') => runs.reduce((sum, run) => sum + run[name], 0)
  const cost = costText({ cost: add('cost'), estimated: add('estimated'), unpriced: add('unpriced') })
  const failures = attention.filter(({ kind }) => kind !== 'need').length
  const needs = attention.length - failures
  return [
    counted(add('turns'), 'turn'),
    cost,
    ...(failures === 0 ? [] : [counted(failures, 'failure')]),
    needs === 0 ? 'no question for you' : `${counted(needs, 'need')} for you`,
  ].join(', ')
}

export function attentionText(item: Attention): string {
  switch (item.kind) {
    case 'start':
      return `Start failed: ${[item.start.message, item.start.hint ?? ''].filter(Boolean).join(' ')}`
    case 'turn': {
      const { role, task, agent, status, reason } = item.turn
      const who = `${role}${task === null ? '' : ` ${task}`} (${agent})`
      return `${who}: ${statusText(status)}${reason === '' ? '' : `. ${reason}`}`
    }
    case 'need':
      return item.need.title
  }
}

const statusTexts: Readonly<Record<string, string>> = { error: 'failed', timeout: 'timed out', limit: 'at its limit' }
const statusText = (status: string): string => statusTexts[status] ?? status

export const attentionPlace = (item: Attention): string =>
  item.kind === 'start'
    ? [item.start.place || item.start.system, item.projectName].join(' · ')
    : [item.run.title, item.projectName].join(' · ')

function attentionItem(item: Attention): DocumentItem {
  const what = item.kind === 'need' ? `${item.need.kind}: ` : ''
  const text = `${what}${attentionText(item)} — ${attentionPlace(item)}`
  if (item.kind === 'turn') return { text, items: [{ text: 'log', code: item.turn.run }] }
  if (item.kind === 'start') return { text: `${localTime(item.start.at)} ${text}` }
  const { file, line } = item.need.source
  return { text, items: [{ text: '', code: `${file}:${line}` }] }
}

function runBlocks(run: RunReport): DocumentBlock[] {
  const { title, system, state, isGone, turns, agents, checks, failures, worked, tasks, changes } = run
  const failed = Object.entries(failures).map(([status, number]) => `${number} ${status}`)
  const by = Object.entries(agents).map(([agent, number]) => `${agent} ${number}`)
  return [
    heading(3, `${title} (${system}, ${isGone ? 'no longer there' : (state ?? 'unknown')})`),
    {
      kind: 'list',
      items: [
        {
          text: `Ran: ${counted(turns, 'turn')}${failed.length === 0 ? '' : ` (${failed.join(', ')})`}, ${workText(worked)} of work`,
        },
        ...(tasks.total === 0 ? [] : [{ text: `Tasks: ${tasks.done} of ${tasks.total} done` }]),
        ...(by.length < 2 ? [] : [{ text: `Agents: ${by.join(', ')}` }]),
        ...(checks.passed + checks.failed === 0
          ? []
          : [{ text: `Checked: ${checks.passed} passed, ${checks.failed} failed` }]),
        ...(turns === 0 ? [] : [{ text: `Tokens: ${tokensText(run)}` }]),
        { text: `Cost: ${costText(run)}` },
        {
          text: `Changed: ${changes ? changesText(changes) : 'unknown'}`,
          items: changes?.commits.map(({ commit, subject }) => ({ code: commit.slice(0, 10), text: subject })) ?? [],
        },
      ],
    },
    ...phaseTable(run.phases),
  ]
}

export function tokensText({ tokens, kinds, uncounted }: AgentUse): string {
  const silent = uncounted === 0 ? '' : `; ${counted(uncounted, 'turn')} of unknown tokens`
  return tokens === null ? 'unknown' : `${amountText(tokens)} (${kindsText(kinds)})${silent}`
}

function phaseTable(phases: readonly PhaseUse[]): DocumentBlock[] {
  if (!phases.some(({ phase, tasks }) => phase !== null || tasks.some(({ task }) => task !== null))) return []
  const row = (title: string, use: AgentUse, isWhole: boolean): DocumentRow => ({
    cells: [title, String(use.turns), sumTokensText(use), sumCostText(use)],
    isWhole,
  })
  const rows = phases.flatMap((phase) => [
    row(phase.title, phase, true),
    ...phase.tasks
      .filter(({ task }) => task !== null || phase.tasks.length > 1 || phase.phase === null)
      .map((task) =>
        row(task.task === null || task.title === task.task ? task.title : `${task.task} ${task.title}`, task, false),
      ),
  ])
  return [{ kind: 'table', head: ['Phase or task', 'Turns', 'Tokens', 'Cost'], rows }]
}

export function changesText({ commits, hasMore, gone, unrecorded, difference }: Changes): string {
  const number = `${hasMore ? 'more than ' : ''}${counted(commits.length, 'commit')}`
  const files = difference
    ? `${counted(difference.files, 'file')}, +${difference.added} -${difference.deleted}`
    : 'files unknown'
  return [
    commits.length === 0 ? 'nothing committed' : `${number}${hasMore ? '; of these' : ','} ${files}`,
    ...(gone === 0 ? [] : [`${counted(gone, 'commit')} no longer in the repository`]),
    ...(unrecorded === 0 ? [] : [`${counted(unrecorded, 'turn')} of unknown commits`]),
  ].join('; ')
}
