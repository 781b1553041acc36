import { LABELS_PER_PAGE, MAX_SEGMENTS } from '@shared/contract/labels'
import type { AreaHandlers } from '../rpc/commands'
import type { MachineManager } from '../machine/manager'
import { evaluate } from './evaluate'
import type { Labels } from './labels'
import { listSources, readSource, sourceAt, type SourcesOf } from './sources'

interface LabelParts {
  readonly machines: MachineManager
  readonly labels: Labels
  readonly builds: Pick<SourcesOf, 'trustedRoots'>
}

export const createLabelHandlers = ({ machines, labels, builds }: LabelParts): AreaHandlers<'labels'> => ({
  'labels.files': ({ machine }) => labels.files(machine),
  'labels.load': ({ machine, path }) => labels.load(machine, path),
  'labels.clear': ({ machine, file }) => labels.clear(machine, file),
  'labels.search': async (input) => ({ labels: await labels.ask('search', input.machine, input) }),
  'labels.page': async (input) => ({
    labels: await labels.ask('page', input.machine, { ...input, limit: LABELS_PER_PAGE }),
  }),
  'labels.resolve': (input) => labels.ask('resolve', input.machine, input),
  'labels.evaluate': (input, signal) => evaluate({ machines, labels }, input, signal),
  'labels.sources': async ({ machine }) => ({ sources: await listSources(of(labels, builds), machine) }),
  'labels.segments': async ({ machine }) => ({
    segments: await labels.ask('segments', machine, { machine, limit: MAX_SEGMENTS }),
  }),
  'labels.sourceAt': async (input) => ({ at: await sourceAt(of(labels, builds), input) }),
  'labels.source': (input) => readSource(of(labels, builds), input),
  'labels.describe': async (input) => ({ described: await labels.ask('describe', input.machine, input) }),
})

const of = (labels: Labels, builds: LabelParts['builds']): SourcesOf => ({
  labels,
  trustedRoots: () => builds.trustedRoots(),
})
