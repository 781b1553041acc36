import { once } from 'node:events'
import { resolve } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { printFinding, sortFindings, type Finding, type Severity } from '../formats/finding'
import { formats } from '../formats/formats'
import { OpenProject, type Observed } from '../projects/watch/openProject'
import { inspectProject, validateProject, type FoundRun } from '../projects/read/project'
import { loadRemembered } from './remembered'
import { identifyFolder } from '../projects/trust'
import { RememberedWatch } from '../projects/watch/rememberedWatch'
import type { Fact, Meter, Source } from '../formats/run'
import type { Operation } from './operations'
import { EXIT_FAILED } from './output'

export const projectOperations = {
  async 'project inspect'({ words, output, folder, signal }) {
    const project = await inspectProject(resolve(folder, words.subject), loadRemembered, signal)
    const runs = project.runs.map(describe)
    const doubts = sortFindings([...project.findings, ...project.runs.flatMap(({ findings }) => findings)])
    output.result(
      project,
      [
        ...(runs.length === 0 ? ['No run of a known format is in it.'] : runs),
        ...section('Doubtful or not understood', doubts.map(printFinding)),
      ]
        .map(inert)
        .join('\n\n'),
    )
  },

  async 'project validate'({ words, output, folder, signal }) {
    const { findings, ...project } = await validateProject(resolve(folder, words.subject), loadRemembered, signal)
    const valid = findings.every(({ severity }) => severity !== 'error')
    const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length
    const summary = `${counted(project.runs.length, 'run')}: ${counted(count('error'), 'error')}, ${counted(count('warning'), 'warning')}, ${counted(count('info'), 'note')}.`
    output.result({ ...project, valid, findings }, [...findings.map(line), summary].map(inert).join('\n'))
    if (!valid) output.exitCode = EXIT_FAILED
  },

  async 'project needs'({ words, output, folder, signal }) {
    const project = await inspectProject(resolve(folder, words.subject), loadRemembered, signal)
    const needs = project.runs
      .filter(({ view }) => !view.archived)
      .flatMap(({ view }) =>
        view.needs.map((need) => ({ run: view.key, system: view.system, title: view.title.value, need })),
      )
      .sort((a, b) => (a.need.since.value ?? Infinity) - (b.need.since.value ?? Infinity) || 0)
    const lines = needs.map(({ need, system, title }) =>
      [
        `${need.since.value === null ? 'since: unknown'.padEnd(24) : new Date(need.since.value).toISOString()}  ${need.kind}: ${oneLine(need.title)} (${placeOf(need.source)})`,
        `  in ${system} ${oneLine(title ?? 'unknown')}; ${need.unblocks.length === 0 ? 'the whole run waits for it' : `then goes on: ${need.unblocks.map(oneLine).join(', ')}`}`,
        ...need.options.map((option, index) => `  ${index + 1}. ${oneLine(option)}`),
      ].join('\n'),
    )
    output.result(
      { folder: project.folder, needs },
      lines.length === 0 ? 'Nothing in it waits for a person.' : lines.map(inert).join('\n'),
    )
  },

  async 'project watch'({ words, output, folder, signal }) {
    const place = resolve(folder, words.subject)
    const tell = (what: object, text: string) =>
      output.result({ time: new Date().toISOString(), ...what }, inert(`${new Date().toISOString()}  ${text}`))
    const { root } = identifyFolder(place)
    const remembered = new RememberedWatch({
      load: () => loadRemembered(root),
      keys: () => project.keys,
      onChanged: (run) => project.reread(run),
    })
    const problems = new Set<string>()
    let isOpen = false
    const project: OpenProject = new OpenProject({
      place,
      formats,
      firstRevision: 0,
      mayRead: () => true,
      onRefused: () => undefined,
      remembered: remembered.of,
      lastHash: () => undefined,
      log: (message, error) => {
        throw new AppError('INTERNAL', message, { cause: error })
      },
      onProject: () => {
        for (const problem of project.summary.problems) if (!problems.has(problem)) tell({ problem }, problem)
        for (const problem of project.summary.problems) problems.add(problem)
      },
      onRuns: (changed, removed) => {
        if (!isOpen) return
        for (const run of removed) tell({ run, kind: 'gone' }, `${run}  is not there any more`)
        for (const key of changed) {
          const { view, stale } = project.run(key) ?? {}
          if (view)
            tell(
              { run: key, kind: 'run', state: view.state.value, needs: view.needs.length, stale },
              `${key}  ${stale ? oneLine(stale.message) : `is ${shown(view.state)}${view.needs.length > 0 ? `, ${counted(view.needs.length, 'need')}` : ''}`}`,
            )
        }
      },
      onObserved: (changes) => {
        if (isOpen) for (const change of changes) tell(change, observedText(change))
      },
    })
    try {
      await project.open()
      isOpen = true
      tell(
        { folder: project.root, runs: project.keys },
        `${counted(project.keys.length, 'run')} in ${project.root} followed; Ctrl+C ends it`,
      )
      await once(signal, 'abort')
      signal.throwIfAborted()
    } finally {
      remembered.close()
      await project.close()
    }
  },
} satisfies Record<string, Operation>

const observedText = ({ kind, file, field, from, to }: Observed): string => {
  if (kind === 'removed') return `${file}  is not there any more`
  if (kind === 'seen') return `${file}  is new`
  return field === null
    ? `${file}  ${to ?? 'changed'}`
    : `${file}  ${field}: ${oneLine(from ?? 'nothing')} → ${oneLine(to ?? 'nothing')}`
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

const placeOf = ({ file, line }: Source): string => `${file}${line === undefined ? '' : `:${line}`}`

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

const line = (finding: Finding): string =>
  `${printFinding(finding)}${finding.repair ? ` (can be repaired: ${finding.repair.title})` : ''}`

/** A terminal obeys control characters, and what is printed here was written by others. Line ends stay. */
export const inert = (text: string): string =>
  text.replace(
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [[title, ...lines.map((text) => `  ${text}`)].join('\n')]

const shown = (fact: Fact<string | number>): string =>
  fact.value === null ? 'unknown' : String(fact.value).replaceAll(/\s+/g, ' ')

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
    ...view.needs.map((need) => `  needs     ${need.kind}: ${oneLine(need.title)} (${placeOf(need.source)})`),
    `  updated   ${updated}`,
  ].join('\n')
}

const progress = (work: readonly { readonly state: Fact<string> }[]): string =>
  work.length === 0 ? 'none' : `${work.filter(({ state }) => state.value === 'done').length} of ${work.length} done`

const printMeter = ({ name, unit, used, limit }: Meter): string => `${name}: ${shown(used)} of ${shown(limit)} ${unit}`
