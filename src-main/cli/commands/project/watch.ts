import { once } from 'node:events'
import { AppError } from '@shared/contract/errors'
import { formats } from '../../../formats/formats'
import { identifyFolder } from '../../../projects/trust'
import { OpenProject } from '../../../projects/watch/openProject'
import type { Observed } from '../../../projects/watch/sightings'
import { RememberedWatch } from '../../../projects/watch/rememberedWatch'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { loadRemembered } from '../../remembered'
import { counted, factText, oneLine } from '../../runText'
import { projectFolder, projectGroup as group } from './group'

export const projectWatch = defineCommand({
  group,
  name: 'watch',
  summary: 'Print each change of the runs in a folder, until Ctrl+C.',
  positionals: { folder: projectFolder },
  data: {
    time: 'ISO time',
    'folder?': 'absolute path',
    'runs?': 'at the start: the keys of the runs',
    'problem?': 'text',
    'run?': 'the key of a run',
    'kind?': 'run, gone, seen, changed or removed',
    'state?': 'of a run',
    'needs?': 'number of a run’s needs',
    'stale?': 'why an older version is shown, or null',
    'file?': 'in the folder',
    'hash?': 'of the file’s contents',
    'field?': 'that changed, or null',
    'from?': 'before',
    'to?': 'after',
    '…': 'more of a change',
  },
  examples: ['project watch . --json'],
  run: async ({ output, signal }, { folder }) => {
    const print = (data: object, text: string) => {
      const time = new Date().toISOString()
      output.result({ time, ...data }, `${time}  ${text}`)
    }
    const { project, remembered, startPrinting } = observe(folder, print)
    try {
      await project.open()
      startPrinting()
      print(
        { folder: project.root, runs: project.keys },
        `Watching ${counted(project.keys.length, 'run')} in ${project.root}; Ctrl+C stops`,
      )
      if (!signal.aborted) await once(signal, 'abort')
      signal.throwIfAborted()
      return EXIT_OK
    } finally {
      remembered.close()
      await project.close()
    }
  },
})

function observe(
  place: string,
  print: (data: object, text: string) => void,
): { project: OpenProject; remembered: RememberedWatch; startPrinting: () => void } {
  const { root } = identifyFolder(place)
  const remembered = new RememberedWatch({
    load: () => loadRemembered(root),
    keys: () => project.keys,
    onChanged: (run) => project.reread(run),
  })
  const problems = new Set<string>()
  let prints = false
  const project: OpenProject = new OpenProject({
    place,
    formats,
    firstRevision: 0,
    mayRead: () => true,
    onRefused: () => undefined,
    remembered: remembered.of,
    lastHash: () => undefined,
    writerOf: () => null,
    log: (message, error) => {
      throw new AppError('INTERNAL', message, { cause: error })
    },
    onProject: () => {
      for (const problem of project.summary.problems) if (!problems.has(problem)) print({ problem }, problem)
      for (const problem of project.summary.problems) problems.add(problem)
    },
    onRuns: (changed, removed) => {
      if (!prints) return
      for (const run of removed) print({ run, kind: 'gone' }, `${run}  is gone`)
      for (const key of changed) printRun(project, key, print)
    },
    onObserved: (changes) => {
      if (prints) for (const change of changes) print(change, observedText(change))
    },
  })
  return { project, remembered, startPrinting: () => (prints = true) }
}

function printRun(project: OpenProject, key: string, print: (data: object, text: string) => void): void {
  const { view, stale } = project.run(key) ?? {}
  if (!view) return
  const needs = view.needs.length > 0 ? `, ${counted(view.needs.length, 'need')}` : ''
  print(
    { run: key, kind: 'run', state: view.state.value, needs: view.needs.length, stale },
    `${key}  ${stale ? oneLine(stale.message) : `is ${factText(view.state)}${needs}`}`,
  )
}

function observedText({ kind, file, field, from, to }: Observed): string {
  if (kind === 'removed') return `${file}  is gone`
  if (kind === 'seen') return `${file}  is new`
  return field === null
    ? `${file}  ${to ?? 'changed'}`
    : `${file}  ${field}: ${oneLine(from ?? 'nothing')} → ${oneLine(to ?? 'nothing')}`
}
