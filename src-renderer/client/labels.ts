import { create } from 'zustand'
import { LabelTable } from '@shared/c64/labels/labelTable'
import { builtInNames, namesOf, type Names } from '@shared/c64/labels/names'
import type { ProgramLabel } from '@shared/c64/labels/programLabel'
import { LABELS_PER_PAGE, type LabelFileState } from '@shared/contract/labels'
import { counted } from '@shared/countedText'
import { call } from './call'
import { onBridgeReady, onEvent } from './events'
import { useMachines } from './machines'
import { notify, reportError } from './messages'

/** Far above any real program; further labels are not shown. */
const MAX_LABELS_KEPT = 200_000

interface Labels {
  readonly machine: string | null
  readonly revision: number
  readonly files: readonly LabelFileState[]
  readonly table: LabelTable
  readonly names: Names
}

const none: Labels = { machine: null, revision: 0, files: [], table: new LabelTable([]), names: builtInNames }

export const useLabels = create<Labels>(() => none)

export const useNames = (): Names => useLabels(({ names }) => names)
export const namesNow = (): Names => useLabels.getState().names

let latest = 0

/** Drops an answer that was overtaken. */
async function readLabels(): Promise<void> {
  const reading = ++latest
  const { front: machine } = useMachines.getState()
  if (useLabels.getState().machine !== machine) useLabels.setState({ ...none, machine })
  try {
    const { files } = await call('labels.files', { machine })
    const labels = files.length === 0 ? [] : await readPages(machine)
    if (reading !== latest) return
    const table = new LabelTable(labels)
    useLabels.setState({
      machine,
      revision: reading,
      files,
      table,
      names: labels.length === 0 ? builtInNames : namesOf(table),
    })
  } catch (error) {
    if (reading === latest) reportError(error)
  }
}

async function readPages(machine: string): Promise<ProgramLabel[]> {
  const labels: ProgramLabel[] = []
  for (let from = 0; from < MAX_LABELS_KEPT; from += LABELS_PER_PAGE) {
    const page = await call('labels.page', { machine, from })
    labels.push(...page.labels)
    if (page.labels.length < LABELS_PER_PAGE) break
  }
  return labels
}

export function followLabels(): void {
  const read = () => void readLabels()
  onBridgeReady(read)
  onEvent('labels.changed', ({ machine }) => {
    if (machine === useMachines.getState().front) read()
  })
  useMachines.subscribe(({ front, bridge }, before) => {
    if (front !== before.front && bridge.state === 'ready') read()
  })
}

export async function chooseLabels(): Promise<void> {
  const { file } = await call('labels.choose', { machine: useMachines.getState().front })
  if (file !== null) announceLabels(file)
}

export function announceLabels({ name, labels, problem }: LabelFileState): void {
  notify(`Loaded ${counted(labels, 'label')} from ${name}.`, problem)
}
