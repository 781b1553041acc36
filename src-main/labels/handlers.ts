import { LABELS_PER_PAGE } from '@shared/contract/labels'
import type { AreaHandlers } from '../rpc/commands'
import type { Labels } from './labels'
import { listSources, readSource, sourceAt } from './sources'

export const createLabelHandlers = ({ labels }: { readonly labels: Labels }): AreaHandlers<'labels'> => ({
  'labels.files': ({ machine }) => labels.files(machine),
  'labels.load': ({ machine, path }) => labels.load(machine, path),
  'labels.clear': ({ machine, file }) => labels.clear(machine, file),
  'labels.search': async (input) => ({ labels: await labels.ask('search', input.machine, input) }),
  'labels.page': async (input) => ({
    labels: await labels.ask('page', input.machine, { ...input, limit: LABELS_PER_PAGE }),
  }),
  'labels.resolve': (input) => labels.ask('resolve', input.machine, input),
  'labels.sources': async ({ machine }) => ({ sources: await listSources(labels, machine) }),
  'labels.sourceAt': async (input) => ({ at: await sourceAt(labels, input) }),
  'labels.source': (input) => readSource(labels, input),
  'labels.describe': async (input) => ({ described: await labels.ask('describe', input.machine, input) }),
})
