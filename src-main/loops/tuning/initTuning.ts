import type { EditValues } from '@shared/contract/edits'
import { compareAndSwap } from '../../files/compareAndSwap'
import { Listing, within } from '../../formats/listing'
import { focusAreas } from '../../formats/tuning/actions/initialise'
import { tuning } from '../../formats/tuning/format'
import { initialState } from '../../formats/tuning/initialState'
import { decodeStateFile } from '../../formats/text/stateFile'
import { diskSource, readRun, runLimits } from '../../projects/read/readRun'
import { scanProject } from '../../projects/read/scanProject'
import { onlySkill } from './diagnoseSkill'

export const focusNames: readonly string[] = focusAreas.map(({ value }) => value)

interface InitTuningOptions {
  readonly folder: string
  readonly skill: string | undefined
  readonly problem: string
  readonly focus: readonly string[]
  readonly maxIterations: number | undefined
  readonly signal: AbortSignal
}

interface InitialisedTuning {
  readonly folder: string
  readonly run: string
  readonly skill: string
  readonly created: readonly string[]
  readonly warnings: readonly string[]
}

/** @throws AppError NOT_FOUND, CONFLICT or INVALID where there is no such skill, or several */
export async function initTuning(options: InitTuningOptions): Promise<InitialisedTuning> {
  const { folder, problem, focus, maxIterations, signal } = options
  const { root, listing: before } = await scanProject(folder, signal)
  const skill = (options.skill ?? onlySkill(before, folder).skill) || '.'
  const run = freeFolder(before, new Date())
  const file = within(run, 'state.json')
  const state = { ...initialState, max_iterations: maxIterations ?? initialState.max_iterations }
  const template = decodeStateFile(file, Buffer.from(`${JSON.stringify(state, undefined, 2)}\n`), Date.now())
  const listing = new Listing([...before.files, file])
  const [candidate] = tuning.detect(new Listing([file]))
  if (!candidate) throw new Error('The state of a new run is not found.')
  const values: EditValues = { skill, problem, focus: [...focus] }
  const request = { name: 'init', target: '', values, now: Date.now() }
  const disk = diskSource(root, listing, new Map())
  const source = { ...disk, read: (path: string) => (path === file ? template : disk.read(path)) }
  const { files } = await readRun(tuning, candidate, source, runLimits, { request, signal })
  const { changes, warnings } = tuning.plan(files, request)
  for (const change of changes)
    await compareAndSwap({ ...change, before: change.file === file ? null : change.before }, { root, signal })
  return { folder: root, run, skill, created: changes.map((change) => change.file), warnings }
}

/** As `skill-tuning-20260210080000`, in UTC. */
function freeFolder(listing: Listing, time: Date): string {
  const stamp = time.toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const folder = `.workflow/.scratchpad/skill-tuning-${stamp}`
  return listing.hasFolder(folder) ? freeFolder(listing, new Date(time.getTime() + 1_000)) : folder
}
