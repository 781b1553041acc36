import { resolve } from 'node:path'
import { printFinding, sortFindings, type Finding, type Severity } from '../orchestration/finding'
import { inspectProject, validateProject, type FoundRun } from '../orchestration/project'
import type { Fact, Meter } from '../orchestration/run'
import type { Operation } from './operations'
import { EXIT_FAILED } from './output'

export const projectOperations = {
  async 'project inspect'({ words, output, folder, signal }) {
    const project = await inspectProject(resolve(folder, words.subject), signal)
    const runs = project.runs.map(describe)
    const doubts = sortFindings([...project.findings, ...project.runs.flatMap(({ findings }) => findings)])
    output.result(project, [...(runs.length === 0 ? ['No run of a known format is in it.'] : runs), ...section('Doubtful or not understood', doubts.map(printFinding))].map(inert).join('\n\n'))
  },

  async 'project validate'({ words, output, folder, signal }) {
    const { findings, ...project } = await validateProject(resolve(folder, words.subject), signal)
    const valid = findings.every(({ severity }) => severity !== 'error')
    const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length
    const summary = `${counted(project.runs.length, 'run')}: ${counted(count('error'), 'error')}, ${counted(count('warning'), 'warning')}, ${counted(count('info'), 'note')}.`
    output.result({ ...project, valid, findings }, [...findings.map(line), summary].map(inert).join('\n'))
    if (!valid) output.exitCode = EXIT_FAILED
  },
} satisfies Record<string, Operation>

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

const line = (finding: Finding): string => `${printFinding(finding)}${finding.repair ? ` (can be repaired: ${finding.repair.title})` : ''}`

/** A terminal obeys control characters, and what is printed here was written by others. Line ends stay. */
export const inert = (text: string): string =>
  text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

const section = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : [[title, ...lines.map((text) => `  ${text}`)].join('\n')])

const shown = (fact: Fact<string | number>): string => (fact.value === null ? 'unknown' : String(fact.value).replaceAll(/\s+/g, ' '))

function describe({ view, marker }: FoundRun): string {
  const { state } = view
  const claim = state.written === undefined || state.written === state.value ? '' : ` (written: ${state.written})`
  const tasks = view.phases.flatMap((phase) => phase.tasks)
  const updated = view.updatedAt.value === null ? 'unknown' : new Date(view.updatedAt.value).toISOString()
  return [
    `${view.system}  ${shown(view.title)}`,
    `  found by  ${marker}${view.archived ? ' (archived)' : ''}`,
    `  state     ${shown(state)}${claim}${view.reason.value === null ? '' : `: ${shown(view.reason)}`}`,
    `  phase     ${shown(view.currentPhase)}`,
    `  phases    ${progress(view.phases)}`,
    `  tasks     ${progress(tasks)}`,
    ...view.meters.map((meter) => `  meter     ${printMeter(meter)}`),
    ...view.needs.map((need) => `  needs     ${need.kind}: ${need.title.replaceAll(/\s+/g, ' ')} (${need.source.file}${need.source.line === undefined ? '' : `:${need.source.line}`})`),
    `  updated   ${updated}`,
  ].join('\n')
}

const progress = (work: readonly { readonly state: Fact<string> }[]): string =>
  work.length === 0 ? 'none' : `${work.filter(({ state }) => state.value === 'done').length} of ${work.length} done`

const printMeter = ({ name, unit, used, limit }: Meter): string => `${name}: ${shown(used)} of ${shown(limit)} ${unit}`
